/** Markup that is known to be safe. */
class Html {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/** @type {Record<string, string>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** @typedef {Html | string | null | Html[]} Part */

/**
 * A template whose values are escaped, unless they are such templates themselves.
 * @param {TemplateStringsArray} strings
 * @param {Part[]} values
 */
export function html(strings, ...values) {
  return new Html(String.raw({ raw: strings }, ...values.map(toText)));
}

/**
 * @param {Part} value
 * @returns {string}
 */
function toText(value) {
  if (value === null) return '';
  if (Array.isArray(value)) return value.map(toText).join('');
  if (value instanceof Html) return value.text;
  return value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
