import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lexer, type Token, type Tokens, walkTokens } from 'marked';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeOffline } from '../../src/programs/openapi/describe-offline.ts';
import { CONTENTS } from '../../src/surfaces/docs/pages/contents.ts';
import { makeHeadingIds, plainText } from '../../src/surfaces/docs/pages/render-markdown.ts';
import { addressesOf, readSiteFiles } from '../../src/surfaces/docs/register-docs.ts';
import { makeSite, SEARCH_ADDRESS, type Site } from '../../src/surfaces/docs/site/site.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Every text of the project, but for what others wrote or a tool made. */
const texts = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.md') && !/(^|\/)(node_modules|dist|data|test-output)\//.test(name),
);

const tokensOf = new Map<string, Token[]>();
function read(file: string): Token[] {
  const known = tokensOf.get(file) ?? lexer(readFileSync(join(ROOT, file), 'utf8'));
  tokensOf.set(file, known);
  return known;
}

function anchorsOf(file: string): Set<string> {
  const newId = makeHeadingIds();
  const headings = read(file).filter(({ type }) => type === 'heading') as Tokens.Heading[];
  return new Set(headings.map(({ tokens }) => newId(plainText(tokens))));
}

function linksOf(file: string): string[] {
  const links: string[] = [];
  walkTokens(read(file), (token) => {
    if (token.type === 'link' || token.type === 'image') links.push(token.href);
  });
  return links;
}

const files = readSiteFiles();
const assets = addressesOf(files);
let site: Site;
beforeAll(() => {
  const openapi = JSON.parse(describeOffline());
  site = makeSite({ openapi, baseUrl: 'https://refer.example.com', assets });
});
const bodyOf = (address: string) => String(site.find(address)?.plain ?? '');

test('no link between the texts of the project is broken, nor its anchor', () => {
  const broken = texts.flatMap((file) =>
    linksOf(file)
      .filter((href) => !/^(https?:|mailto:)/.test(href) && !href.startsWith('/docs'))
      .filter((href) => {
        const [path = '', anchor] = href.split('#');
        const target = path === '' ? file : normalize(join(dirname(file), decodeURI(path)));
        if (!existsSync(join(ROOT, target))) return true;
        return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
      })
      .map((href) => `${file}: ${href}`),
  );
  expect(broken).toEqual([]);
});

test('every text in docs/ is a page of the site; only the decisions are not', () => {
  const listed = CONTENTS.flatMap(({ entries }) => entries.map(({ file }) => normalize(file)));
  const there = texts
    .filter((file) => file.startsWith('docs/') && !file.startsWith('docs/adr/'))
    .map((file) => relative('docs', file));
  expect(there.filter((file) => !listed.includes(file))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
});

describe('the site', () => {
  const idsOf = (page: string) =>
    [...page.matchAll(/<[a-z][^>]* id="([^"]*)"/g)].map(([, id]) => id);

  test('every link leads to a page that is there, and to a place on it', () => {
    const known = new Map(
      site.addresses.map((address) => [address, new Set(idsOf(bodyOf(address)))]),
    );
    const broken = site.addresses.flatMap((address) =>
      [...bodyOf(address).matchAll(/<a [^>]*href="([^"]*)"/g)]
        .map(([, href = '']) => href)
        .filter((href) => href.startsWith('#') || href.startsWith('/docs'))
        .filter((href) => {
          const [path = '', anchor] = href.split('#');
          const ids = known.get(path === '' ? address : path);
          return !ids || (anchor !== undefined && !ids.has(anchor));
        })
        .map((href) => `${address}: ${href}`),
    );
    expect(broken).toEqual([]);
  });

  test('no id is on a page twice, and headings never skip a level', () => {
    for (const address of site.addresses) {
      const ids = idsOf(bodyOf(address));
      expect([address, ids.filter((id, at) => ids.indexOf(id) !== at)]).toEqual([address, []]);
      const levels = [...bodyOf(address).matchAll(/<h([1-6])[ >]/g)].map(([, level]) =>
        Number(level),
      );
      const skips = levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1);
      expect([address, skips, levels.filter((level) => level === 1)]).toEqual([address, [], [1]]);
    }
  });

  test('nothing comes from elsewhere', () => {
    for (const address of site.addresses) {
      const loaded = [
        ...bodyOf(address).matchAll(/<(?:script|link|img|iframe)\b[^>]*(?:src|href)="([^"]*)"/g),
      ]
        .map(([, url]) => url as string)
        .filter((url) => !url.startsWith('data:image/svg+xml,'));
      expect(loaded).toEqual([assets.style, assets.script]);
    }
  });

  test('drawings are told in words, and hold nothing but shapes and words', () => {
    const folder = join(ROOT, 'docs/diagrams');
    const shown = site.addresses.map(bodyOf).join('');
    const styles = String(files.style.content);
    for (const name of readdirSync(folder)) {
      const svg = readFileSync(join(folder, name), 'utf8');
      const elements = new Set([...svg.matchAll(/<([a-zA-Z]+)/g)].map(([, element]) => element));
      const known = ['svg', 'title', 'style', 'defs', 'marker', 'path', 'rect', 'circle', 'text'];
      expect([...elements].filter((element) => !known.includes(element as string))).toEqual([]);
      expect(svg).not.toMatch(/\s(on\w+|style|href)=/);
      const classes = [...svg.matchAll(/class="([^"]+)"/g)].flatMap(([, all]) => all?.split(' '));
      const unstyled = classes.filter((one) => !styles.includes(`.drawing .${one}{`));
      expect([name, unstyled]).toEqual([name, []]);
      expect(shown).toContain(`url(#${name.replace('.svg', '')}-tip)`);
    }
    const told = [...shown.matchAll(/<svg viewBox[^>]* aria-label="([^"]*)"/g)].map(
      ([, alt]) => alt,
    );
    expect(told.filter((alt) => (alt ?? '').length < 80)).toEqual([]);
  });

  test('the search knows every page, every heading and every operation, by addresses that are there', () => {
    const index: { u: string; t: string; w: string; x: string }[] = JSON.parse(
      bodyOf(SEARCH_ADDRESS),
    );
    const pages = new Map(
      site.addresses.map((address) => [address, new Set(idsOf(bodyOf(address)))]),
    );
    const lost = index.filter(({ u }) => {
      const [path = '', anchor] = u.split('#');
      return !pages.has(path) || (anchor !== undefined && !pages.get(path)?.has(anchor));
    });
    expect(lost).toEqual([]);
    const found = new Set(index.map(({ u }) => u.split('#')[0]));
    expect(site.addresses.filter((address) => !found.has(address))).toEqual(['/docs']);
    const { paths } = JSON.parse(describeOffline());
    const operations = Object.values<Record<string, { operationId: string }>>(paths).flatMap(
      Object.values,
    );
    expect(index.filter(({ u }) => u.startsWith('/docs/api#')).length).toBe(operations.length);
  });

  test('links to the parts of the reference from when it stood at /docs still find them', () => {
    const home = idsOf(bodyOf('/docs'));
    const shared = ['main', 'contents', 'find', 'theme', 'search', 'results'];
    const lost = idsOf(bodyOf('/docs/api')).filter((id) => home.includes(id));
    expect(lost.toSorted()).toEqual(shared.toSorted());
  });
});
