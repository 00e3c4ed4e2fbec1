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
        <h2>{texts.payout}</h2>
      </div>
      {value ? (
        <>
          {value.configured && (
            <Current model={model} details={value} isEditable={start.payout.editable} />
          )}
          {!start.payout.editable ? (
            <p>{texts.forbidden}</p>
          ) : (
            (!value.configured || model.isEditing) && (
              <PayoutFields model={model} start={start} isChange={value.configured} />
            )
          )}
        </>
      ) : failure ? (
        <Failed model={model} failure={failure} onRetry={() => model.loadDetails()} />
      ) : (
        <Skeleton model={model} />
      )}
    </>
  );
}

function Current(props: { model: Model; details: PayoutDetails; isEditable: boolean }) {
  const { model, details, isEditable } = props;
  const { texts, locale } = model.language;
  const { type, label, status, updatedAt, onboardingUrl } = details;
  const isUnfinished = type === 'stripe_connect' && status === 'needs_update';
  const name = type === null || type === 'bank' ? '' : KIND_NAMES[type];
  return (
    <div class="current">
      <p>{texts.current}</p>
      <b>
        {name} <span dir="ltr">{label}</span>
      </b>
      {status === 'cooling_down' && updatedAt && (
        <p>{fill(texts.cooling, 'date', formatDayAfter(locale, updatedAt))}</p>
      )}
      {status === 'needs_update' && <p>{isUnfinished ? texts.stripe : texts.updateHint}</p>}
      {isHttps(onboardingUrl) ? (
        <a class="button" href={onboardingUrl} target="_blank" rel="noopener noreferrer">
          {texts.stripeGo}
        </a>
      ) : (
        isUnfinished &&
        isEditable && (
          <button
            type="button"
            class="button"
            aria-disabled={model.isSaving}
            onClick={() => void model.savePayout(null)}
          >
            {texts.stripeGo}
          </button>
        )
      )}
      {isEditable && !model.isEditing && (
        <button type="button" class="button quiet" onClick={() => model.edit()}>
          {texts.change}
        </button>
      )}
    </div>
  );
}
