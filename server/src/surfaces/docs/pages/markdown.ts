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
