import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Html } from '../../../platform/http/server/html.ts';
import { type ApiDocument, listOperations } from '../api/api-document.ts';
import { renderReference } from '../api/render-reference.ts';
import {
  type MarkdownPage,
  makeMarkdownPages,
  markdownAddressOf,
  renderLlmsText,
} from '../markdown/markdown-pages.ts';
import {
  API_SLUG,
  addressOf,
  CONTENTS,
  type DocPage,
  LLMS_ADDRESS,
  type Part,
  type Section,
} from '../pages/contents.ts';
import { DOCS_FOLDER } from '../pages/docs-folder.ts';
import { drawSvg, readPage } from '../pages/read-pages.ts';
import { renderHome, renderNowhere, renderPage, type SiteFacts } from './render-page.ts';
import type { Assets } from './shell.ts';
import type { SiteSection } from './site-map.ts';

/** What is sent for an address, ready in both forms. */
export interface Served {
  readonly type: string;
  readonly plain: Buffer;
  readonly packed: Buffer;
  readonly etag: string;
}

export interface SiteSource {
  readonly openapi: object;
  readonly baseUrl: string;
  readonly assets: Assets;
  readonly contents?: readonly Section[];
  readonly folder?: string;
}

export interface Site {
  /** By address; a page is made when it is first asked for, and then kept. */
  find(path: string): Served | null;
  /** For addresses that no page has. */
  nowhere(): Served;
  /** Every address of a page. */
  readonly addresses: readonly string[];
  /** The pages as Markdown. */
  readonly markdown: readonly MarkdownPage[];
}

export const SEARCH_ADDRESS = '/docs/search.json';

export function makeSite({
  openapi,
  baseUrl,
  assets,
  contents = CONTENTS,
  folder = DOCS_FOLDER,
}: SiteSource): Site {
  const document = openapi as ApiDocument;
  const pages = contents.map(({ title, entries }) => ({
    title,
    pages: entries.map((entry) => readPage(entry, contents, folder)),
  }));
  const facts: SiteFacts = {
    sections: toSections(pages),
    assets,
    version: document.info.version,
  };
  const all = pages.flatMap((section) => section.pages);
  const makers = new Map<string, () => Served>([
    ['/docs', () => toPage(renderHome(facts, drawOverview(folder)))],
    [addressOf(API_SLUG), () => toPage(renderReference(openapi, baseUrl, assets))],
    ...all.map((page) => [addressOf(page.slug), () => toPage(renderPage(page, facts))] as const),
  ]);
  const addresses = [...makers.keys()];
  const markdown = makeMarkdownPages(pages, { openapi, baseUrl, contents, folder });
  for (const { slug, readText } of markdown) {
    makers.set(markdownAddressOf(slug), () => toServed('text/markdown; charset=utf-8', readText()));
  }
  makers.set(LLMS_ADDRESS, () =>
    toServed('text/plain; charset=utf-8', renderLlmsText(markdown, baseUrl)),
  );
  makers.set(SEARCH_ADDRESS, () =>
    toServed('application/json; charset=utf-8', JSON.stringify(indexSite(pages, document))),
  );
  const kept = new Map<string, Served>();
  let nowhere: Served | undefined;
  return {
    addresses,
    markdown,
    find(path) {
      const made = kept.get(path) ?? makers.get(path)?.() ?? null;
      if (made) kept.set(path, made);
      return made;
    },
    nowhere() {
      nowhere ??= toPage(renderNowhere(facts));
      return nowhere;
    },
  };
}

interface PagesOfSection {
  readonly title: string;
  readonly pages: readonly DocPage[];
}

/** Without those that have no page yet; the reference of the API heads the last. */
function toSections(sections: readonly PagesOfSection[]): SiteSection[] {
  const api = {
    slug: API_SLUG,
    label: 'API reference',
    lead: 'Every call, with its fields, errors and examples.',
  };
  return sections
    .map(({ title, pages }) => ({
      title,
      places: title === 'Reference' ? [api, ...pages] : pages,
    }))
    .filter(({ places }) => places.length > 0);
}

const OVERVIEW =
  'Bob follows Ada’s link, signs up, and your backend reports the signup. Goodword decides whose link it was and who earns what. The reward appears in the feed, your backend grants it, and Ada sees it in the widget.';

function drawOverview(folder: string): Html {
  const svg = readFileSync(join(folder, 'diagrams/click-to-reward.svg'), 'utf8');
  return drawSvg('click-to-reward', svg, OVERVIEW, null);
}

const toPage = (text: string): Served => toServed('text/html; charset=utf-8', text);

function toServed(type: string, text: string): Served {
  const plain = Buffer.from(text);
  const digest = createHash('sha256').update(plain).digest('base64url');
  return { type, plain, packed: gzipSync(plain), etag: `"${digest.slice(0, 27)}"` };
}

/** What the search knows of a place. Short names: it is sent as it is. */
interface Findable {
  /** Address. */
  readonly u: string;
  /** Title. */
  readonly t: string;
  /** Where that is: section and page, or the call. */
  readonly w: string;
  /** Words. */
  readonly x: string;
}

/** Every heading of every page, and every operation. */
function indexSite(
  sections: readonly { readonly title: string; readonly pages: readonly DocPage[] }[],
  document: ApiDocument,
): Findable[] {
  return [
    ...sections.flatMap(({ title, pages }) =>
      pages.flatMap((page) => page.parts.map((part) => toFindable(part, page, title))),
    ),
    ...listOperations(document).map(({ operationId, method, path, summary, ...operation }) => ({
      u: `${addressOf(API_SLUG)}#${operationId}`,
      t: summary,
      w: `${method} ${path}`,
      x: flatten(
        [operation.description?.replaceAll('`', '') ?? '', ...operation['x-permissions']].join(' '),
      ),
    })),
  ];
}

function toFindable({ id, depth, title, text }: Part, page: DocPage, section: string): Findable {
  const address = addressOf(page.slug);
  return {
    u: depth === 1 ? address : `${address}#${id}`,
    t: title,
    w: depth === 1 ? section : `${section} › ${page.label}`,
    x: flatten(text),
  };
}

const flatten = (text: string): string => text.replace(/\s+/g, ' ').trim();
