import { type Html, html } from '../../../platform/http/server/html.ts';

/** Paragraphs, lists of "- " lines, `code` and **weight**. Anything else is text. */
export function markdown(text: string): Html {
  return html`${text
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '')
    .map(renderBlock)}`;
}

function renderBlock(block: string): Html {
  const lines = block.trim().split('\n');
  const firstItem = lines.findIndex((line) => line.startsWith('- '));
  if (firstItem < 0) return html`<p>${inline(lines.join(' '))}</p>`;
  const lead = lines.slice(0, firstItem).join(' ');
  const items = lines
    .slice(firstItem)
    .join('\n')
    .split(/^- /m)
    .slice(1)
    .map((item) => html`<li>${inline(item.trim().replaceAll('\n', ' '))}</li>`);
  return html`${lead === '' ? null : html`<p>${inline(lead)}</p>`}<ul>${items}</ul>`;
}

/** One line of text. A mark without a partner stays as it is. */
export function inline(text: string): Html {
  return html`${text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece, index) => {
    if (index % 2 === 0) return piece;
    return piece.startsWith('`')
      ? html`<code>${piece.slice(1, -1)}</code>`
      : html`<strong>${piece.slice(2, -2)}</strong>`;
  })}`;
}

/** Ids of the page's parts. Operations go by their own id, so that a link to one is easy to guess. */
export const schemaAnchor = (name: string): string => `schema-${name}`;
export const tagAnchor = (tag: string): string =>
  `tag-${tag.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}`;

export function linkTo(anchor: string, text: string | Html): Html {
  return html`<a href="#${anchor}">${text}</a>`;
}

/** A long name that may break before a capital or after an underscore, and nowhere else. */
export function breakable(name: string): Html {
  return html`${name
    .split(/(?=[A-Z][a-z])|(?<=_)/)
    .map((part, index) => (index === 0 ? part : html`<wbr>${part}`))}`;
}
