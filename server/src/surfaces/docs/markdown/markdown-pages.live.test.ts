import { afterAll, beforeAll, expect, test } from 'vitest';
import { openService, type TestService } from '../../../../test/harness.ts';

const BASE_URL = 'https://refer.example.com';

let service: TestService;
let index: string;
beforeAll(async () => {
  service = await openService();
  index = await (await get('/llms.txt')).text();
});
afterAll(() => service.close());

const get = (path: string) => fetch(service.url + path);
const linksOf = (markdown: string): string[] =>
  [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href]) => href as string);

test('the index is plain text with a title, a summary and every page', async () => {
  const answer = await get('/llms.txt');
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(index).toMatch(/^# Goodword\n\n> /);
  const links = linksOf(index);
  expect(links).toContain(`${BASE_URL}/docs/concepts.md`);
  expect(links).toContain(`${BASE_URL}/docs/api.md`);
  expect(new Set(links).size).toBe(links.length);
});

test('every page of the index is Markdown with a title, and its links work', async () => {
  const pages = linksOf(index);
  const known = new Set([
    ...pages,
    `${BASE_URL}/openapi.json`,
    `${BASE_URL}/docs`,
    `${BASE_URL}/docs/api`,
  ]);
  for (const page of pages) {
    const answer = await get(page.slice(BASE_URL.length));
    expect([page, answer.status]).toEqual([page, 200]);
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const text = await answer.text();
    expect(text).toMatch(/^# \S/m);
    const withoutCode = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
    const broken = linksOf(withoutCode).filter((href) => {
      const [address = ''] = href.split('#');
      return address.startsWith(BASE_URL) ? !known.has(address) : /^(\.|\/|\w+\.md)/.test(address);
    });
    expect([page, broken]).toEqual([page, []]);
  }
});

test('the reference of the API names every operation', async () => {
  const text = await (await get('/docs/api.md')).text();
  for (const { method, path } of service.routes) expect(text).toContain(`### ${method} ${path}\n`);
});

test('a page that does not exist is not found', async () => {
  expect((await get('/docs/nothing.md')).status).toBe(404);
});
