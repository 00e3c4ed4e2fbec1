import type { PayoutDetails, Start } from './api-types.ts';
import { formatDayAfter } from './format.ts';
import { Icon } from './icons.tsx';
import type { Model } from './model.ts';
import { KIND_NAMES, PayoutFields } from './payout-fields.tsx';
import { isHttps } from './share.ts';
import { Failed, Skeleton } from './states.tsx';
import { fill } from './texts.ts';

export function Payout({ model, start }: { model: Model; start: Start }) {
  const { texts } = model.language;
  const { value, failure } = model.details;
  return (
    <>
      <div class="head sub">
        <button type="button" class="back" aria-label={texts.back} onClick={() => model.showHome()}>
          <Icon name="back" />
        </button>
        <h2
          tabIndex={-1}
          ref={(heading) => {
            if (heading && model.takeFocus('payout')) heading.focus();
          }}
        >
          {texts.payout}
        </h2>
      </div>
      {value ? (
        <>
          {value.configured && <Current model={model} details={value} />}
          {(!value.configured || model.isEditing) && (
            <PayoutFields model={model} start={start} isChange={value.configured} />
          )}
        </>
      ) : failure ? (
        <Failed model={model} failure={failure} onRetry={() => model.resume()} />
      ) : (
        <Skeleton model={model} />
      )}
    </>
  );
}

function Current({ model, details }: { model: Model; details: PayoutDetails }) {
  const { texts, locale } = model.language;
  const { type, label, status, updatedAt, onboardingUrl } = details;
  const name = type === null || type === 'bank' ? '' : KIND_NAMES[type];
  return (
    <div class="current">
      <p>{texts.current}</p>
      <b>
        {name} <span dir="ltr">{label}</span>
      </b>
      {status === 'cooling_down' && updatedAt && (
        <p class="hint">{fill(texts.cooling, 'date', formatDayAfter(locale, updatedAt))}</p>
      )}
      {status === 'needs_update' && (
        <p class="hint">{isHttps(onboardingUrl) ? texts.stripe : texts.updateHint}</p>
      )}
      {isHttps(onboardingUrl) && (
        <a class="button" href={onboardingUrl} target="_blank" rel="noopener noreferrer">
          {texts.stripeGo}
        </a>
      )}
      {!model.isEditing && (
        <button type="button" class="button quiet" onClick={() => model.edit()}>
          {texts.change}
        </button>
      )}
    </div>
  );
}
