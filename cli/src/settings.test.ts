import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CliError } from './cli-error.ts';
import { readSettings } from './settings.ts';

test('nothing needs to be set: the service is on this machine, its token in its folder', () => {
  expect(readSettings({ GOODWORD_URL: ' ', DATA_DIR: '' })).toEqual({
    baseUrl: 'http://127.0.0.1:8080',
    dataDir: resolve('data'),
    adminToken: null,
    apiKey: null,
    projectId: null,
    workspaceId: null,
  });
});

test('the service is where GOODWORD_URL says, else BASE_URL, else at the port of this machine', () => {
  const port = { PORT: '9000' };
  const base = { ...port, BASE_URL: 'https://refer.example.com/goodword/' };
  expect(readSettings(port).baseUrl).toBe('http://127.0.0.1:9000');
  expect(readSettings(base).baseUrl).toBe('https://refer.example.com/goodword');
  expect(readSettings({ ...base, GOODWORD_URL: 'http://a.test' }).baseUrl).toBe('http://a.test');
});

test.each([
  [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535, not "70000".'],
  [{ BASE_URL: 'a.test' }, 'BASE_URL must be an address such as https://refer.example.com'],
  [{ GOODWORD_URL: 'https://u:p@a.test' }, 'GOODWORD_URL must be an address'],
  [{ PORT: 'x', BASE_URL: 'y' }, /^PORT.*\nBASE_URL.*$/],
])('%o is refused with a sentence', (env, sentence) => {
  expect(() => readSettings(env)).toThrow(CliError);
  expect(() => readSettings(env)).toThrow(sentence);
});

test('a secret can be in a file, and then only there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'goodword-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const ADMIN_TOKEN_FILE = join(folder, 'token');
  writeFileSync(ADMIN_TOKEN_FILE, 'token\n');
  expect(readSettings({ ADMIN_TOKEN_FILE }).adminToken).toBe('token');
  expect(() => readSettings({ ADMIN_TOKEN_FILE, ADMIN_TOKEN: 'token' })).toThrow(
    'ADMIN_TOKEN and ADMIN_TOKEN_FILE are both set. Set only one of them.',
  );
  expect(() => readSettings({ GOODWORD_KEY_FILE: join(folder, 'none') })).toThrow(
    'GOODWORD_KEY_FILE cannot be read (ENOENT).',
  );
});

test('a key that cannot be sent in a header is told, and not repeated', () => {
  const read = () => readSettings({ GOODWORD_KEY: 'gw_hush\nb', ADMIN_TOKEN: 'hush\u00e9' });
  expect(read).toThrow(/^ADMIN_TOKEN has white space .*\nGOODWORD_KEY has white space /);
  expect(read).not.toThrow('hush');
});

test('the command line is not sent to any port', () => {
  expect(() => readSettings({ PORT: '0' })).toThrow('PORT is 0');
  expect(readSettings({ PORT: '0', GOODWORD_URL: 'http://127.0.0.1:9' }).baseUrl).toMatch(/:9$/);
});
