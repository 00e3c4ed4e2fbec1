import { expect, test } from 'vitest';
import { openWith, sealWith } from './aead.ts';

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
