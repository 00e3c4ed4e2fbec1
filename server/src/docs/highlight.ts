import { type Html, html } from './html.ts';

const TOKEN =
  /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|(-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b)/g;

/** Colours JSON text. What it does not know stays plain, so nothing is ever lost. */
export function highlightJson(text: string): Html {
  const parts: (Html | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, colon, word, number] = match;
    parts.push(text.slice(end, match.index));
    if (string !== undefined && colon !== undefined) {
      parts.push(html`<span class="k">${string}</span>${colon}`);
    } else if (string !== undefined) parts.push(html`<span class="s">${string}</span>`);
    else if (word !== undefined) parts.push(html`<span class="w">${word}</span>`);
    else if (number !== undefined) parts.push(html`<span class="n">${number}</span>`);
    end = match.index + whole.length;
  }
  parts.push(text.slice(end));
  return html`${parts}`;
}

/** A titled block of code. The page's script adds the button that copies it. */
export function codeBlock(title: string, code: Html): Html {
  return html`<figure class="code"><figcaption>${title}</figcaption><pre><code>${code}</code></pre></figure>`;
}

export function jsonBlock(title: string, value: unknown): Html {
  return codeBlock(title, highlightJson(JSON.stringify(value, null, 2)));
}
