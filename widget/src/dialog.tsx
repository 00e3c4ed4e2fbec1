import type { ComponentChildren } from 'preact';
import { Icon } from './icons.tsx';
import type { Model } from './model.ts';

const FOCUSABLE = 'a[href],button:not(:disabled),input:not(:disabled),select,summary';

/** The browser's own dialog: above everything on the page, which cannot be reached meanwhile. */
export function Dialog(props: { model: Model; label: string; children: ComponentChildren }) {
  const { model, label, children } = props;
  const { position } = model.start.value?.config.widgetConfig ?? { position: 'bottom-right' };
  return (
    <dialog
      class={`dialog ${position}`}
      aria-label={label}
      ref={show}
      onClose={() => model.closed()}
      onClick={closeBeside}
      onKeyDown={keepFocus}
    >
      <div class="sheet">
        <button
          type="button"
          class="close"
          aria-label={model.language.texts.close}
          onClick={(event) => event.currentTarget.closest('dialog')?.close()}
        >
          <Icon name="close" />
        </button>
        {children}
      </div>
    </dialog>
  );
}

/** Once: it is the same function each time, which is called with the same element only once. */
function show(dialog: HTMLDialogElement | null): void {
  if (dialog && !dialog.open) dialog.showModal();
}

function closeBeside(event: MouseEvent): void {
  const { target } = event;
  if (target instanceof HTMLDialogElement) target.close();
}

/** From the last to the first and back. */
function keepFocus(event: KeyboardEvent): void {
  if (event.key !== 'Tab') return;
  const dialog = event.currentTarget as HTMLDialogElement;
  const all: HTMLElement[] = [];
  for (const one of dialog.querySelectorAll<HTMLElement>(FOCUSABLE)) {
    if (one.checkVisibility?.() ?? true) all.push(one);
  }
  const focused = (dialog.getRootNode() as ShadowRoot).activeElement;
  const [from, to] = event.shiftKey ? [all[0], all[all.length - 1]] : [all[all.length - 1], all[0]];
  if (focused !== from) return;
  event.preventDefault();
  to?.focus();
}
