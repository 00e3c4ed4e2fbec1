import { type Html, html, raw } from '../../../platform/http/server/html.ts';

/**
 * A drawing of docs/diagrams/, set into the page so that it takes on the page's theme and its
 * words can be read and found. Its own style, for when it is looked at as a picture, is left out:
 * the page's policy would not let it in, and the site's style has the same classes.
 */
export function drawSvg(name: string, svg: string, alt: string, caption: string | null): Html {
  const viewBox = /viewBox="0 0 (\d+) (\d+)"/.exec(svg);
  if (!viewBox) throw new Error(`${name} does not say how large it is`);
  const inside = svg
    .slice(svg.indexOf('>', svg.indexOf('<svg')) + 1, svg.lastIndexOf('</svg>'))
    .replace(/<style>.*?<\/style>|<title>.*?<\/title>|<!--.*?-->/gs, '')
    .replace(/\bid="/g, `id="${name}-`)
    .replace(/url\(#/g, `url(#${name}-`);
  const [, width = '', height = ''] = viewBox;
  return html`<figure class="drawing"><div class="wide" data-label="${`Drawing: ${caption ?? name}`}"><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${alt}">${raw(inside)}</svg></div>${
    caption === null ? null : html`<figcaption>${caption}</figcaption>`
  }</figure>`;
}
