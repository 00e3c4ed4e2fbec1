import { type Html, html, type Part } from '../../../platform/http/server/html.ts';

const PLACE = /\{(\w+)\}/;

/** Replaces each name in braces by its value, which is not processed further. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return pieces(text)
    .map((piece, index) => (index % 2 === 0 ? piece : valueFor(values, piece)))
    .join('');
}

/** The same with markup as values: text is escaped. */
export function fillHtml(text: string, values: Readonly<Record<string, Part>>): Html {
  const parts = pieces(text).map((piece, index): Part => {
    return index % 2 === 0 ? piece : valueFor(values, piece);
  });
  return html`${parts}`;
}

/** Text and names in turn: a split by a pattern with one group keeps the group. */
function pieces(text: string): string[] {
  return text.split(PLACE);
}

function valueFor<T>(values: Readonly<Record<string, T>>, name: string): T {
  const value = values[name];
  if (value === undefined) throw new Error(`The text has no value for {${name}}.`);
  return value;
}
