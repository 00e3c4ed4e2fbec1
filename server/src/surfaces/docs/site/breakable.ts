import { type Html, html } from '../../../platform/http/server/html.ts';

/** A long name that may break before a capital or after an underscore, and nowhere else. */
export function breakable(name: string): Html {
  return html`${name
    .split(/(?=[A-Z][a-z])|(?<=_)/)
    .map((part, index) => (index === 0 ? part : html`<wbr>${part}`))}`;
}
