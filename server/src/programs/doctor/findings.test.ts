import { expect, test } from 'vitest';
import { judgeDurability } from './check-database.ts';
import { judgeRoom } from './check-folder.ts';
import { checkSettings } from './check-settings.ts';
import { examine } from './examine.ts';

test.each([
  [{ fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }, ['ok']],
  [{ fsync: 'on', full_page_writes: 'on', synchronous_commit: 'remote_apply' }, ['ok']],
  [{ fsync: 'off', full_page_writes: 'off', synchronous_commit: 'on' }, ['problem', 'problem']],
  [{ fsync: 'on', full_page_writes: 'on', synchronous_commit: 'off' }, ['problem']],
])('a database with %j is judged by what it may lose', (settings, levels) => {
  const found = judgeDurability(new Map(Object.entries(settings)));
  expect(found.map(({ level }) => level)).toEqual(levels);
});

test('little room is a warning, none a problem', () => {
  const levels = [5e9, 5e8, 1e8].map((bytes) => judgeRoom(bytes, '/data').level);
  expect(levels).toEqual(['ok', 'warning', 'problem']);
});

test('settings are judged as the service reads them, one line for each fault', () => {
  const { config, findings } = checkSettings({ PORT: 'x', DATABASE_URL: 'postgres://u:hush@h/d' });
  expect(config).toBeNull();
  expect(findings.map(({ level }) => level)).toEqual(['problem', 'problem', 'problem']);
  expect(JSON.stringify(findings)).not.toContain('hush');
});

test.each([
  [{ SMTP_URL: 'smtp://mail.test', MAIL_FROM: 'a@b.test' }, []],
  [{}, ['warning']],
  [{ BASE_URL: 'http://refer.example.com' }, ['problem', 'warning']],
  [{ BASE_URL: 'http://127.0.0.1:8080', CONSOLE_TOTP: 'optional' }, ['warning', 'warning']],
  [{ HOST: '0.0.0.0' }, ['warning', 'warning']],
])('settings %j can be used, and are judged', (env, levels) => {
  const { config, findings } = checkSettings(env);
  expect(config).not.toBeNull();
  expect(findings.map(({ level }) => level)).toEqual(['ok', ...levels]);
});

test('settings that cannot be used are all there is to tell', async () => {
  const { installation, network } = await examine({ PORT: 'x' });
  expect(installation).toMatchObject([{ check: 'settings', level: 'problem' }]);
  expect(network).toEqual([]);
});
