import { SEARCH_SCRIPT } from './search-script.ts';

/**
 * All the site's script. It adds what a page cannot do alone: the chosen theme, the search, the
 * filter of the reference and the copy buttons. It runs in the head, so that the theme is there
 * before the first paint. Every page can be read without it.
 */
export const SCRIPT = String.raw`(() => {
'use strict';
const root = document.documentElement;
root.classList.add('scripts');
const KEY = 'goodword-docs-theme';
try {
  const saved = localStorage.getItem(KEY);
  if (saved === 'light' || saved === 'dark') root.dataset.theme = saved;
} catch {}

const addTheme = (button) => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
  const show = () => button.setAttribute('aria-label', (isDark() ? 'Light' : 'Dark') + ' theme');
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    try {
      localStorage.setItem(KEY, root.dataset.theme);
    } catch {}
    show();
  });
  system.addEventListener('change', show);
  show();
};

const addFilter = (nav, box) => {
  const input = box.querySelector('input');
  const found = box.querySelector('.found');
  const items = [...nav.querySelectorAll('li')];
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of items) {
      item.hidden = !words.every((word) => item.dataset.find.includes(word));
    }
    for (const group of nav.querySelectorAll('.group')) {
      group.hidden = !group.querySelector('li:not([hidden])');
    }
    const count = items.filter((item) => !item.hidden).length;
    found.textContent = words.length === 0 ? '' : count === 0 ? 'Nothing found' : count + ' found';
  });
};

const addCopy = (figure) => {
  const button = document.createElement('button');
  const title = figure.querySelector('figcaption');
  const label = 'Copy: ' + title.textContent;
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', label);
  button.addEventListener('click', async () => {
    const copied = await navigator.clipboard
      .writeText(figure.querySelector('code').textContent)
      .then(() => 'Copied', () => 'Failed');
    button.textContent = copied;
    button.setAttribute('aria-label', copied);
    setTimeout(() => {
      button.textContent = 'Copy';
      button.setAttribute('aria-label', label);
    }, 1500);
  });
  title.append(button);
};

// What is wider than its frame can be scrolled, so keyboards must get there; else they need not.
const addScroll = () => {
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const isWide = target.scrollWidth > target.clientWidth;
      const marks = { tabindex: '0', role: 'group', 'aria-label': target.dataset.label };
      for (const [name, value] of Object.entries(marks)) {
        if (isWide) target.setAttribute(name, value);
        else target.removeAttribute(name);
      }
    }
  });
  for (const frame of document.querySelectorAll('.wide, .scrolls pre')) watch.observe(frame);
};

// The reference was the whole of /docs once, and links to its parts are out in the world.
const followOldLink = () => {
  const { pathname, hash } = location;
  if (/^\/docs\/?$/.test(pathname) && hash.length > 1 && !document.getElementById(hash.slice(1))) {
    location.replace('/docs/api' + hash);
  }
};
${SEARCH_SCRIPT}
document.addEventListener('DOMContentLoaded', () => {
  followOldLink();
  addScroll();
  addTheme(document.getElementById('theme'));
  addSearch(document.getElementById('find'), document.getElementById('search'));
  const nav = document.getElementById('contents');
  nav.addEventListener('click', (event) => {
    if (event.target.closest('a') && nav.matches(':popover-open')) nav.hidePopover();
  });
  const filter = nav.querySelector('.filter');
  if (filter) addFilter(nav, filter);
  // Where the page stands in a long list is seen at once.
  nav.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
  // Browsers lend the clipboard only to https and localhost.
  if (navigator.clipboard) document.querySelectorAll('figure.code').forEach(addCopy);
});
})();
`;
