import { find } from '../find.ts';
import { cutExcerpt, splitAtMarks } from './excerpt.ts';
import { type Hit, indexEntries, type SiteIndex } from './site-index.ts';
import { wordsOf } from './word-forms.ts';

/** The search dialog. Its index is fetched when it is first opened, and searched in the page. */
export function addSearch(opener: HTMLElement, dialog: HTMLDialogElement): void {
  const input = find<HTMLInputElement>(dialog, 'input');
  const list = find(dialog, '[role="listbox"]');
  const status = find(dialog, '[role="status"]');
  const load = makeLoader();
  let active = -1;

  const select = (at: number) => {
    const options = [...list.children];
    active = options.length === 0 ? -1 : (at + options.length) % options.length;
    options.forEach((option, position) => {
      option.setAttribute('aria-selected', String(position === active));
    });
    const option = options[active];
    if (!option) return input.removeAttribute('aria-activedescendant');
    input.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({ block: 'nearest' });
  };

  const show = async () => {
    const query = input.value;
    try {
      const index = await load();
      // A later letter has its own answer.
      if (query !== input.value) return;
      const hits = index.search(query);
      list.replaceChildren(...hits.map(renderHit));
      status.textContent = describe(query, hits.length);
      input.setAttribute('aria-expanded', String(hits.length > 0));
      select(0);
    } catch {
      status.textContent = 'The index could not be loaded. Try again.';
    }
  };

  const open = () => {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    show();
  };

  opener.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    if (!isShortcut(event)) return;
    event.preventDefault();
    open();
  });
  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') select(active + 1);
    else if (event.key === 'ArrowUp') select(active - 1);
    else if (event.key === 'Enter') (list.children[active] as HTMLElement | undefined)?.click();
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', () => dialog.close());
  // A click on the backdrop has the dialog itself as its target.
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
}

/** Loads once; after a failure the next call tries again. */
function makeLoader(): () => Promise<SiteIndex> {
  let loading: Promise<SiteIndex> | undefined;
  return () => {
    loading ??= loadIndex().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

async function loadIndex(): Promise<SiteIndex> {
  const answer = await fetch('/docs/search.json');
  if (!answer.ok) throw new Error(String(answer.status));
  return indexEntries(await answer.json());
}

/** `/` outside of fields, or Control or Command with K anywhere. */
function isShortcut({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (key === 'k') return ctrlKey || metaKey;
  const isTyping =
    target instanceof Element && target.closest('input, textarea, select, [contenteditable]');
  return key === '/' && !isTyping && !ctrlKey && !metaKey && !altKey;
}

function describe(query: string, count: number): string {
  if (wordsOf(query).length === 0) return '';
  if (count === 0) return `Nothing found for “${query}”.`;
  return `${count} ${count === 1 ? 'result' : 'results'}`;
}

function renderHit({ entry, marks }: Hit, position: number): HTMLElement {
  const link = document.createElement('a');
  link.id = `result-${position}`;
  link.href = entry.u;
  link.tabIndex = -1;
  link.setAttribute('role', 'option');
  const lines = { where: entry.w, title: entry.t, words: cutExcerpt(entry.x, marks) };
  for (const [name, text] of Object.entries(lines)) {
    const line = document.createElement('span');
    line.className = name;
    line.append(...renderMarked(text, marks));
    link.append(line);
  }
  return link;
}

function renderMarked(text: string, marks: readonly string[]): (Node | string)[] {
  return splitAtMarks(text, marks).map((piece) => {
    if (!piece.isMarked) return piece.text;
    const mark = document.createElement('mark');
    mark.textContent = piece.text;
    return mark;
  });
}
