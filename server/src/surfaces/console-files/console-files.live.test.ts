import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONSOLE_FOLDER, registerConsoleFiles } from './console-files.ts';

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
}
const manifest: Readonly<Record<string, Chunk>> = JSON.parse(
  readFileSync(join(CONSOLE_FOLDER, '.vite/manifest.json'), 'utf8'),
);

let app: FastifyInstance;
beforeAll(async () => {
  app = fastify();
  registerConsoleFiles(app);
  await app.ready();
});
afterAll(() => app.close());

/** A chunk and everything that it needs to start. */
function filesOf(name: string, seen = new Map<string, string>()): Map<string, string> {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`the build has no ${name}`);
  if (seen.has(name)) return seen;
  seen.set(name, chunk.file);
  for (const one of chunk.imports ?? []) filesOf(one, seen);
  return seen;
}

test('the first page of a Project loads at most 250 KB of packed script', () => {
  const names = ['index.html', 'src/app/project-layout.tsx', 'src/pages/home/home-page.tsx'];
  const files = new Set(names.flatMap((name) => [...filesOf(name).values()]));
  const bytes = [...files]
    .filter((file) => file.endsWith('.js'))
    .map((file) => gzipSync(readFileSync(join(CONSOLE_FOLDER, file)), { level: 9 }).length)
    .reduce((sum, one) => sum + one, 0);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(250 * 1024);
});

describe('every address below /console', () => {
  test.each(['/console', '/console/', '/console/sign-in', '/console/p/prj_1/rewards?status=x'])(
    '%s is the page, with a policy that lets nothing foreign in',
    async (url) => {
      const answer = await app.inject({ url });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-store');
      const policy = String(answer.headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
      expect(answer.body).toContain(`content="${nonce}"`);
    },
  );

  test('has a number of its own each time', async () => {
    const [one, two] = [await app.inject('/console'), await app.inject('/console')];
    expect(one.headers['content-security-policy']).not.toBe(two.headers['content-security-policy']);
  });

  test('but a script that is gone is not there: an old page must not take HTML for it', async () => {
    expect((await app.inject('/console/assets/gone-12345678.js')).statusCode).toBe(404);
  });
});

test('files named after their content are kept for ever, and packed', async () => {
  const entry = manifest['index.html']?.file;
  const answer = await app.inject({
    url: `/console/${entry}`,
    headers: { 'accept-encoding': 'gzip' },
  });
  expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(answer.headers['content-encoding']).toBe('gzip');
  expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8');
});
