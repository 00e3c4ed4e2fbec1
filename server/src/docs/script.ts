/**
 * All the page's script. It adds what a page cannot do alone: the chosen theme, the filter
 * and the copy buttons. It runs in the head, so that the theme is there before the first paint.
 */
export const SCRIPT = `
(() => {
  const root = document.documentElement;
  const KEY = 'goodword-docs-theme';
  try {
    const saved = localStorage.getItem(KEY);
    if (saved === 'light' || saved === 'dark') root.dataset.theme = saved;
  } catch {}

  const addTheme = (button) => {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const isDark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
    const show = () => {
      button.textContent = isDark() ? 'Light' : 'Dark';
      button.setAttribute('aria-label', button.textContent + ' theme');
    };
    button.addEventListener('click', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark';
      try {
        localStorage.setItem(KEY, root.dataset.theme);
      } catch {}
      show();
    });
    system.addEventListener('change', show);
    show();
    button.hidden = false;
  };

  const addFilter = (nav) => {
    const box = nav.querySelector('.filter');
    const input = box.querySelector('input');
    const found = box.querySelector('.found');
    const items = [...nav.querySelectorAll('li')];
    input.addEventListener('input', () => {
      const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
      for (const item of items) {
        item.hidden = !words.every((word) => item.dataset.find.includes(word));
      }
      for (const group of nav.querySelectorAll('.group')) {
        group.hidden = !group.querySelector('li:not([hidden])');
      }
      const count = items.filter((item) => !item.hidden).length;
      found.textContent = words.length === 0 ? '' : count === 0 ? 'Nothing found' : count + ' found';
    });
    nav.addEventListener('click', (event) => {
      if (event.target.closest('a') && nav.matches(':popover-open')) nav.hidePopover();
    });
    box.hidden = false;
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

  document.addEventListener('DOMContentLoaded', () => {
    addTheme(document.getElementById('theme'));
    addFilter(document.getElementById('contents'));
    // Browsers lend the clipboard only to https and localhost.
    if (navigator.clipboard) document.querySelectorAll('figure.code').forEach(addCopy);
  });
})();
`;
