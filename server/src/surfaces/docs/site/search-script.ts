/** The search: its index is fetched when it is first opened, and looked through in the page. */
export const SEARCH_SCRIPT = String.raw`
const RESULTS_MAX = 20;

const wordsOf = (text) => text.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean);

// How well a text has a word: at the start of one of its words, inside one, or not at all.
const rateForm = (text, form) => {
  const at = text.indexOf(form);
  if (at < 0) return 0;
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1]) || text.includes(' ' + form) ? 2 : 1;
};
const rate = (text, [typed, other]) => 2 * rateForm(text, typed) || rateForm(text, other);

const OTHER_WORDS = { fulfilment: 'fulfil', gdpr: 'erase', timezone: 'time zone' };
const STEM_MIN = 4;

// A word as it was typed, and its stem or the word that the pages have for it.
const formsOf = (word) => {
  const other = OTHER_WORDS[word] ?? word.replace(/(?:ment|ing|ed|e?s)$/, '');
  return [word, other.length < STEM_MIN ? word : other];
};

// Every word must be somewhere; what a title says counts more than what stands below it.
const lookUp = (index, query, words) => {
  if (words.length === 0) return [];
  const whole = words.map(([typed]) => typed).join(' ');
  const stems = words.map(([, other]) => other).join(' ');
  const asTyped = query.trim().toLowerCase();
  const rated = [];
  for (const entry of index) {
    let sum = entry.title === whole ? 40 : entry.title.startsWith(whole) ? 12 : entry.title.startsWith(stems) ? 6 : 0;
    // Whoever types a path means that call.
    if (asTyped.includes('/')) sum += entry.where.endsWith(asTyped) ? 40 : 15 * rateForm(entry.where, asTyped);
    for (const forms of words) {
      const best = 5 * rate(entry.title, forms) + 2 * rate(entry.where, forms) + rate(entry.text, forms) / 2;
      if (best === 0) {
        sum = -1;
        break;
      }
      sum += best;
    }
    if (sum > 0) rated.push({ entry, sum: entry.u.includes('#') ? sum : sum + 3 });
  }
  rated.sort((one, other) => other.sum - one.sum);
  return rated.slice(0, RESULTS_MAX).map(({ entry }) => entry);
};

// Fills an element with a text whose found words are marked.
const mark = (element, text, words) => {
  const lower = text.toLowerCase();
  let at = 0;
  while (at < text.length) {
    let next = -1;
    let length = 0;
    for (const word of words) {
      const found = lower.indexOf(word, at);
      if (found >= 0 && (next < 0 || found < next || (found === next && word.length > length))) {
        next = found;
        length = word.length;
      }
    }
    if (next < 0) break;
    element.append(text.slice(at, next));
    const hit = document.createElement('mark');
    hit.textContent = text.slice(next, next + length);
    element.append(hit);
    at = next + length;
  }
  element.append(text.slice(at));
};

const cut = (text, words) => {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - 40);
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  return (start > 0 ? '… ' : '') + text.slice(start, start + 160) + (text.length > start + 160 ? ' …' : '');
};

const addSearch = (opener, dialog) => {
  const input = dialog.querySelector('input');
  const list = dialog.querySelector('[role="listbox"]');
  const told = dialog.querySelector('[role="status"]');
  let loading;
  let active = -1;

  const load = () => {
    loading ??= fetch('/docs/search.json')
      .then((answer) => {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.json();
      })
      .then((all) =>
        all.map((entry) => ({
          ...entry,
          title: wordsOf(entry.t).join(' '),
          where: entry.w.toLowerCase(),
          text: entry.x.toLowerCase(),
        })),
      );
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };

  const choose = (at) => {
    const options = [...list.children];
    active = options.length === 0 ? -1 : (at + options.length) % options.length;
    options.forEach((option, position) => {
      option.setAttribute('aria-selected', String(position === active));
    });
    if (active < 0) return input.removeAttribute('aria-activedescendant');
    input.setAttribute('aria-activedescendant', options[active].id);
    options[active].scrollIntoView({ block: 'nearest' });
  };

  const draw = (entry, position, words) => {
    const link = document.createElement('a');
    link.id = 'result-' + position;
    link.href = entry.u;
    link.tabIndex = -1;
    link.setAttribute('role', 'option');
    const parts = { where: entry.w, title: entry.t, words: cut(entry.x, words) };
    for (const [name, text] of Object.entries(parts)) {
      const line = document.createElement('span');
      line.className = name;
      mark(line, text, words);
      link.append(line);
    }
    return link;
  };

  const show = async () => {
    const query = input.value;
    try {
      const index = await load();
      if (query !== input.value) return;
      const words = wordsOf(query).map(formsOf);
      const found = lookUp(index, query, words);
      list.replaceChildren(...found.map((entry, position) => draw(entry, position, words.flat())));
      told.textContent =
        words.length === 0 ? '' : found.length === 0 ? 'Nothing found for “' + query + '”.' : found.length + (found.length === 1 ? ' result' : ' results');
      input.setAttribute('aria-expanded', String(found.length > 0));
      choose(0);
    } catch {
      told.textContent = 'The index could not be loaded. Try again.';
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
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]');
    const isAsked =
      (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) ||
      (event.key === 'k' && (event.ctrlKey || event.metaKey));
    if (!isAsked) return;
    event.preventDefault();
    open();
  });
  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(active + 1);
    else if (event.key === 'ArrowUp') choose(active - 1);
    else if (event.key === 'Enter') list.children[active]?.click();
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', () => dialog.close());
  // Outside of the box is its backdrop.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
};
`;
