import { type Html, html, raw } from '../../../platform/http/server/html.ts';
import { addressOf, type DocPage } from '../pages/contents.ts';

/** A line in a list of pages. */
interface Place {
  readonly slug: string;
  readonly label: string;
  readonly lead: string;
}

export interface SiteSection {
  readonly title: string;
  readonly places: readonly Place[];
}

/** The pages of the site beside one of them. On a narrow screen it is a popover, without script. */
export function renderSiteMap(sections: readonly SiteSection[], current: string): Html {
  return html`
<nav class="side" id="contents" popover aria-label="Contents">
${sections.map(
  ({ title, places }) =>
    html`<div class="group"><p>${title}</p><ul>${places.map(
      ({ slug, label }) =>
        html`<li><a href="${addressOf(slug)}"${slug === current ? html` aria-current="page"` : null}>${label}</a></li>`,
    )}</ul></div>`,
)}
</nav>`;
}

/** The pages before and after one, in the order of reading. */
export function renderPager(sections: readonly SiteSection[], current: string): Html | null {
  const all = sections.flatMap(({ places }) => places);
  const at = all.findIndex(({ slug }) => slug === current);
  if (at < 0) return null;
  const link = (place: Place | undefined, name: string, rel: string) =>
    place
      ? html`<a rel="${rel}" href="${addressOf(place.slug)}"><span>${name}</span>${place.label}</a>`
      : null;
  return html`<nav class="pager" aria-label="Next pages">${link(all[at - 1], 'Previous', 'prev')}${link(
    all[at + 1],
    'Next',
    'next',
  )}</nav>`;
}

/** The headings of a page, to jump to; a fold above the text where there is no room beside it. */
export function renderOutline({ parts }: DocPage): { fold: Html | null; beside: Html | null } {
  const listed = parts.filter(({ depth }) => depth === 2 || depth === 3);
  if (listed.length < 2) return { fold: null, beside: null };
  const list = html`<ul>${listed.map(
    ({ id, depth, heading }) =>
      html`<li class="level-${depth}"><a href="#${id}">${withoutLinks(heading)}</a></li>`,
  )}</ul>`;
  return {
    fold: html`<details class="outline"><summary>On this page</summary>${list}</details>`,
    beside: html`<nav class="beside" aria-label="On this page"><p>On this page</p>${list}</nav>`,
  };
}

/** A link inside a link is none. */
export function withoutLinks({ text }: Html): Html {
  return raw(text.replace(/<\/?a\b[^>]*>/g, ''));
}
