import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSessionId, readUserAgent, showAgent, toSessionId } from './agent-name.ts';

test('a session id repeats the name of the agent', () => {
  const id = toSessionId({ name: 'claude-ai', version: '1.2.3' });
  expect(readSessionId(id)).toEqual({ name: 'claude-ai', version: '1.2.3' });
  expect(showAgent({ name: 'claude-ai', version: '1.2.3' })).toBe('claude-ai 1.2.3');
  expect(showAgent({ name: 'curl', version: '' })).toBe('curl');
});

test('whatever an agent calls itself, its session id is a header and its name is one short line', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.string({ maxLength: 30 }),
      (name, version) => {
        const id = toSessionId({ name, version });
        expect(id).toMatch(/^[\w-]{1,1024}$/);
        const known = readSessionId(id);
        expect(known).toBeDefined();
        const shown = showAgent(known ?? { name: '\n', version: '' });
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(shown.length).toBeLessThanOrEqual(2 * 2 * 64 + 1);
      },
    ),
  );
});

test.each(['', 'x', 'W10', 'e30', 'WyJhIl0', Buffer.from('["a\\n","b"]').toString('base64url')])(
  '%j is not a session id',
  (text) => {
    expect(readSessionId(text)).toBeUndefined();
  },
);

test.each([
  ['node', 'node', ''],
  ['Cursor/0.50 (darwin arm64)', 'Cursor', '0.50'],
  ['', 'unknown', ''],
  [undefined, 'unknown', ''],
])('the user agent %j is named %s', (header, name, version) => {
  expect(readUserAgent(header)).toEqual({ name, version });
});
