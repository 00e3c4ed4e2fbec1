import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { PANEL_FOLDER, registerPanelFiles } from './panel-files.ts';

const files = readdirSync(PANEL_FOLDER);
const packedSize = (name: string) =>
  gzipSync(readFileSync(join(PANEL_FOLDER, name)), { level: 9 }).length;

test('the panel in whichever language takes at most 20 KB of other people’s pages', () => {
  const languages = files.filter((name) => /^\w\w-\w+\.json$/.test(name));
  expect(languages).toHaveLength(5);
  const largest = Math.max(...languages.map(packedSize));
  expect(packedSize('v1.js') + largest).toBeLessThanOrEqual(20 * 1_024);
});

test('countries and currencies are loaded only with the payout details, and take little more', () => {
  expect(readFileSync(join(PANEL_FOLDER, 'v1.js'), 'utf8')).not.toContain('"ZWG"');
  expect(packedSize('codes.json')).toBeLessThanOrEqual(1_280);
});

test('the file for everybody is asked for again after an hour, the pinned one never', async () => {
  const app = fastify();
  registerPanelFiles(app);
  const pinned = files.find((name) => /^v1-[0-9a-f]{16}\.js$/.test(name));
  const [current, same] = await Promise.all(
    ['v1.js', pinned].map((name) => app.inject({ url: `/widget/${name}` })),
  );
  expect(current?.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=3600',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
  });
  expect(same?.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(same?.body).toBe(current?.body);
  await app.close();
});

test('the panel is sent packed to whoever takes that', async () => {
  const app = fastify();
  registerPanelFiles(app);
  const ask = (accepted?: string) =>
    app.inject({
      url: '/widget/v1.js',
      headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
    });
  const sizes: Record<string, unknown> = {};
  for (const accepted of [
    'gzip, deflate, br',
    'br, gzip;q=0.5',
    'br',
    'gzip;q=0',
    'gzip;q=0, br',
  ]) {
    sizes[accepted] = (await ask(accepted)).headers['content-encoding'];
  }
  expect(sizes).toEqual({
    'gzip, deflate, br': 'gzip',
    'br, gzip;q=0.5': 'gzip',
    br: undefined,
    'gzip;q=0': undefined,
    'gzip;q=0, br': undefined,
  });
  expect((await ask('gzip')).rawPayload.length).toBe(packedSize('v1.js'));
  expect((await ask()).headers['content-encoding']).toBeUndefined();
  await app.close();
});
