import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFindCredential } from './credentials.ts';
import { readSettings } from './settings.ts';

/** The credential found with these settings and this token in the data folder. */
function find(token: string, env: Record<string, string>, takesKey: boolean) {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'goodword-cli-'));
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true }));
  writeFileSync(join(DATA_DIR, 'admin-token'), token);
  return createFindCredential(readSettings({ DATA_DIR, ...env }))(takesKey);
}

test.each([
  [{}, true, { adminToken: 'kept' }],
  [{ GOODWORD_KEY: 'key' }, true, { apiKey: 'key' }],
  [{ GOODWORD_KEY: 'key' }, false, { adminToken: 'kept' }],
  [{ GOODWORD_KEY: 'key', ADMIN_TOKEN: 'set' }, true, { adminToken: 'set' }],
])('with %j, and where a key will do: %s, it speaks with %j', async (env, takesKey, credential) => {
  expect(await find('kept\n', env, takesKey)).toEqual(credential);
});

test.each(['', 'hush hush'])(
  'a token that is damaged ("%s") is told, and not repeated',
  async (token) => {
    const failure = await find(token, {}, true).catch((error: unknown) => error);
    expect(failure).toMatchObject({ exitCode: 1, message: expect.stringContaining('is damaged') });
    expect(String(failure)).not.toContain('hush');
  },
);
