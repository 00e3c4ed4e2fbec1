import type { ComponentChildren } from 'preact';
import { Icon } from './icons.tsx';
import type { Model } from './model.ts';

const FOCUSABLE = 'a[href],button,input,select';

/** The browser's own dialog: above everything on the page, which is inert meanwhile. */
export function Dialog(props: { model: Model; label: string; children: ComponentChildren }) {
  const { model, label, children } = props;
  const { position } = model.start.value?.config.widgetConfig ?? { position: 'bottom-right' };
  return (
    <dialog
      class={`dialog ${position}`}
      aria-label={label}
      ref={show}
      onClose={(event) => {
        // The page may have opened another meanwhile.
        if (event.currentTarget.isConnected) model.closed();
      }}
      onPointerDown={(event) => {
        pressed = event.target;
      }}
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

/** Runs once: the function is the same each time, so it is called only once per element. */
function show(dialog: HTMLDialogElement | null): void {
  if (dialog?.isConnected && !dialog.open) dialog.showModal();
}

let pressed: EventTarget | null = null;

/** Not if a text selection ends outside of it. */
function closeBeside({ target }: MouseEvent): void {
  if (target instanceof HTMLDialogElement && pressed === target) target.close();
}

/** Cycles between the last and the first element. */
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
