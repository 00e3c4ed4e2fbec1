import type { FailureKind } from './failure.ts';
import type { Model } from './model.ts';
import type { TextName } from './texts.ts';

/** A placeholder while the content loads. */
export function Skeleton({ model }: { model: Model }) {
  return (
    <div class="skeleton" aria-busy="true">
      <p class="hidden">{model.language.texts.loading}</p>
      <i />
      <i />
      <i />
      <i />
    </div>
  );
}

const WORDS: Readonly<Record<FailureKind, readonly [TextName, TextName]>> = {
  offline: ['offline', 'offlineHint'],
  closed: ['closed', 'closedHint'],
  forbidden: ['closed', 'closedHint'],
  invalid: ['error', 'errorHint'],
  failed: ['error', 'errorHint'],
};

/** No retry if access is denied: it would fail again. */
export function Failed(props: { model: Model; failure: FailureKind; onRetry: () => void }) {
  const { texts } = props.model.language;
  const [title, hint] = WORDS[props.failure];
  return (
    <div class="state" role="alert">
      <h2>{texts[title]}</h2>
      <p>{texts[hint]}</p>
      {title !== 'closed' && (
        <button type="button" class="button" onClick={props.onRetry}>
          {texts.retry}
        </button>
      )}
    </div>
  );
}
