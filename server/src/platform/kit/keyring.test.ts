import { expect, test } from 'vitest';
import { createKeyring, openWith, sealWith } from './keyring.ts';

const keyring = createKeyring(Buffer.alloc(32, 1));

test('what was sealed opens with the same purpose and context only', () => {
  const sealed = keyring.seal('widget-secret', 'hush', 'prj_1/wsk_1');
  expect(sealed).not.toContain('hush');
  expect(keyring.open('widget-secret', sealed, 'prj_1/wsk_1')).toBe('hush');
  expect(() => keyring.open('widget-secret', sealed, 'prj_1/wsk_2')).toThrow();
  expect(() => keyring.open('partner-proof', sealed, 'prj_1/wsk_1')).toThrow();
  const other = createKeyring(Buffer.alloc(32, 2));
  expect(() => other.open('widget-secret', sealed, 'prj_1/wsk_1')).toThrow();
});

test('a changed byte is noticed', () => {
  const sealed = keyring.seal('widget-secret', 'hush', 'x');
  const bytes = Buffer.from(sealed.slice(3), 'base64');
  bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
  expect(() => keyring.open('widget-secret', `v1.${bytes.toString('base64')}`, 'x')).toThrow();
  expect(() => keyring.open('widget-secret', 'v2.xxx', 'x')).toThrow();
});

test('sealing twice gives different texts; an hmac is the same each time, per purpose', () => {
  expect(keyring.seal('widget-secret', 'a', 'x')).not.toBe(keyring.seal('widget-secret', 'a', 'x'));
  expect(keyring.hmac('tombstone', 'a')).toEqual(keyring.hmac('tombstone', 'a'));
  expect(keyring.hmac('tombstone', 'a')).not.toEqual(keyring.hmac('feed-cursor', 'a'));
});

test('a root key of another length is refused', () => {
  expect(() => createKeyring(Buffer.alloc(31))).toThrow();
});

const key = Buffer.alloc(32, 1);

test('what was sealed opens with its key and context only', () => {
  const sealed = sealWith(key, 'hush', 'here');
  expect(openWith(key, sealed, 'here')).toBe('hush');
  expect(() => openWith(Buffer.alloc(32, 2), sealed, 'here')).toThrow();
  expect(() => openWith(key, sealed, 'there')).toThrow();
});

test('a tag that was cut short does not do, though its beginning is right', () => {
  const bytes = Buffer.from(sealWith(key, '', 'here').slice('v1.'.length), 'base64');
  const open = (length: number) =>
    openWith(key, `v1.${bytes.subarray(0, length).toString('base64')}`, 'here');
  expect(open(12 + 16)).toBe('');
  for (let tagBytes = 0; tagBytes < 16; tagBytes += 1) expect(() => open(12 + tagBytes)).toThrow();
});
