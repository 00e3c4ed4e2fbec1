import { Dialog } from './dialog.tsx';
import { Home } from './home.tsx';
import { Icon } from './icons.tsx';
import type { Model } from './model.ts';
import { Payout } from './payout.tsx';
import { Failed, Skeleton } from './states.tsx';

/** A trigger with a dialog, or the panel alone if the page has a container for it. */
export function Panel({ model }: { model: Model }) {
  const { start, isInline } = model;
  if (isInline) {
    return (
      <section class="card" aria-label={model.title}>
        <Content model={model} />
      </section>
    );
  }
  return (
    <>
      {start.value && <Trigger model={model} />}
      {model.isOpen && (
        <Dialog model={model} label={model.title}>
          <Content model={model} />
        </Dialog>
      )}
    </>
  );
}

/** Shown once there is something to open. */
function Trigger({ model }: { model: Model }) {
  const config = model.start.value?.config.widgetConfig;
  if (!config) return null;
  const text = model.own('triggerText');
  return (
    <button
      type="button"
      class={`trigger ${config.position}`}
      aria-haspopup="dialog"
      aria-label={text.trim() || model.title}
      aria-expanded={model.isOpen}
      onClick={() => model.open()}
    >
      <Icon name={config.icon} />
      <bdi>{text}</bdi>
    </button>
  );
}

function Content({ model }: { model: Model }) {
  const { start, screen, notice } = model;
  return (
    <>
      <div class="scroll">
        {start.value ? (
          screen === 'home' ? (
            <Home model={model} start={start.value} />
          ) : (
            <Payout model={model} start={start.value} />
          )
        ) : start.failure ? (
          <Failed model={model} failure={start.failure} onRetry={() => model.load()} />
        ) : (
          <Skeleton model={model} />
        )}
      </div>
      <p class={notice && !model.isQuiet ? 'notice' : 'hidden'} role="status">
        {notice}
      </p>
    </>
  );
}
