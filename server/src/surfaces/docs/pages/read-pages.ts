import { readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { type Html, html, raw } from '../../../platform/http/server/html.ts';
import { addressOf, type DocPage, type Entry, type Section } from './contents.ts';
import { type PageContext, renderMarkdown } from './render-markdown.ts';

/** Reads a page that is kept as a file. */
export function readPage(entry: Entry, contents: readonly Section[], folder: string): DocPage {
  const text = readFileSync(join(folder, entry.file), 'utf8');
  const parts = renderMarkdown(text, contextOf(entry.file, contents, folder));
  const [first] = parts;
  if (first?.depth !== 1) throw new Error(`${entry.file} has no title`);
  return {
    slug: entry.slug,
    file: entry.file,
    title: first.title,
    label: entry.label ?? first.title,
    lead: firstSentence(first.text || (parts[1]?.text ?? '')),
    parts,
  };
}

function contextOf(file: string, contents: readonly Section[], folder: string): PageContext {
  return {
    resolveLink: makeResolveLink(file, contents),
    drawFigure(href, alt, caption) {
      const svg = readFileSync(join(folder, dirname(file), href), 'utf8');
      return drawSvg(basename(href, '.svg'), svg, alt, caption);
    },
  };
}

/** Where the links of a page lead on the site; null for what is only in the repository. */
export function makeResolveLink(
  file: string,
  contents: readonly Section[],
): (href: string) => string | null {
  const slugs = new Map(
    contents.flatMap(({ entries }) => entries.map((entry) => [entry.file, entry.slug] as const)),
  );
  return (href) => {
    if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
    const [path = '', anchor] = href.split('#');
    const target = normalize(join(dirname(file), path));
    if (target === '../openapi.json') return '/openapi.json';
    const slug = slugs.get(target);
    if (slug === undefined) return null;
    return anchor === undefined ? addressOf(slug) : `${addressOf(slug)}#${anchor}`;
  };
}

function firstSentence(text: string): string {
  const paragraph = text.split('\n\n', 1)[0] ?? '';
  const flat = paragraph.replace(/\s+/g, ' ').trim();
  return /^.*?[.:](?=\s|$)/.exec(flat)?.[0].replace(/:$/, '.') ?? flat;
}

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
