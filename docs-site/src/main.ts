import { addCopyButtons } from './copy-button.ts';
import { addFilter } from './filter.ts';
import { find } from './find.ts';
import { followOldLink } from './old-link.ts';
import { watchFrames } from './scroll-frames.ts';
import { addSearch } from './search/dialog.ts';
import { addThemeButton, applySavedTheme } from './theme.ts';

// The page loads this script in its head and waits for it, so the theme is there before the first paint.
document.documentElement.classList.add('scripts');
applySavedTheme();

document.addEventListener('DOMContentLoaded', () => {
  followOldLink();
  watchFrames();
  addThemeButton(find(document, '#theme'));
  addSearch(find(document, '#find'), find<HTMLDialogElement>(document, '#search'));
  const contents = find(document, '#contents');
  contents.addEventListener('click', ({ target }) => {
    const isLink = target instanceof Element && target.closest('a') !== null;
    if (isLink && contents.matches(':popover-open')) contents.hidePopover();
  });
  const filter = contents.querySelector<HTMLElement>('.filter');
  if (filter) addFilter(contents, filter);
  // The current page may be far down a long list.
  contents.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
  addCopyButtons();
});
