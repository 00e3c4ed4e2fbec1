import { find } from './find.ts';

const SHOWN_MS = 1500;

/** Adds a copy button to every block of code. Browsers offer the clipboard only on https and localhost. */
export function addCopyButtons(): void {
  if (!navigator.clipboard) return;
  for (const figure of document.querySelectorAll<HTMLElement>('figure.code')) addCopyButton(figure);
}

function addCopyButton(figure: HTMLElement): void {
  const button = document.createElement('button');
  const title = find(figure, 'figcaption');
  const label = `Copy: ${title.textContent}`;
  const show = (text: string, name: string) => {
    button.textContent = text;
    button.setAttribute('aria-label', name);
  };
  button.type = 'button';
  show('Copy', label);
  button.addEventListener('click', async () => {
    const outcome = await copy(find(figure, 'code').textContent ?? '');
    show(outcome, outcome);
    setTimeout(() => show('Copy', label), SHOWN_MS);
  });
  title.append(button);
}

const copy = (text: string): Promise<'Copied' | 'Failed'> =>
  navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'Failed',
  );
