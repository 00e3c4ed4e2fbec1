import { expect, test, vi } from 'vitest';
import { createAddressRules } from './address-rules.ts';
import { createLookup, resolveHost } from './resolve-host.ts';

const rules = createAddressRules(['127.0.0.0/8']);
const PUBLIC = ['93.184.216.34', '2606:4700:4700::1111'];

test('a name gives all its addresses', async () => {
  const reach = { rules, lookup: async () => PUBLIC };
  expect(await resolveHost('shop.example', 'https', reach)).toEqual({
    ok: true,
    addresses: PUBLIC,
  });
});

test('one address that is not public refuses the name, and is not told', async () => {
  const reach = { rules, lookup: async () => [...PUBLIC, '10.7.7.7'] };
  const resolved = await resolveHost('shop.example', 'https', reach);
  expect(resolved).toMatchObject({ ok: false, failure: { reason: 'address_refused' } });
  expect(JSON.stringify(resolved)).not.toContain('10.7.7.7');
});

test('an address is judged without a look-up', async () => {
  const lookup = vi.fn(async () => PUBLIC);
  const judge = async (host: string) => (await resolveHost(host, 'https', { rules, lookup })).ok;
  expect(await judge('93.184.216.34')).toBe(true);
  expect(await judge('127.0.0.1')).toBe(true);
  expect(await judge('10.0.0.1')).toBe(false);
  expect(await judge('::ffff:127.0.0.1')).toBe(false);
  expect(lookup).not.toHaveBeenCalled();
});

test('http needs a name whose every address is excepted', async () => {
  const resolve = (addresses: readonly string[]) =>
    resolveHost('shop.example', 'http', { rules, lookup: async () => addresses });
  expect(await resolve(['127.0.0.1'])).toMatchObject({ ok: true });
  expect(await resolve(['127.0.0.1', '93.184.216.34'])).toMatchObject({
    failure: { reason: 'address_refused', message: 'The URL must begin with https://.' },
  });
});

test('a name without addresses, or that nobody knows, is not resolved', async () => {
  const unknown = async () => {
    throw Object.assign(new Error('getaddrinfo ENOTFOUND shop.example'), { code: 'ENOTFOUND' });
  };
  expect(await resolveHost('shop.example', 'https', { rules, lookup: unknown })).toMatchObject({
    failure: {
      reason: 'name_not_resolved',
      message: "The host's name could not be resolved (ENOTFOUND).",
    },
  });
  expect(
    await resolveHost('shop.example', 'https', { rules, lookup: async () => [] }),
  ).toMatchObject({ failure: { reason: 'name_not_resolved' } });
});

test('the system knows localhost, and refuses what cannot exist', async () => {
  const lookup = createLookup();
  expect(await lookup('localhost')).toContain('127.0.0.1');
  await expect(lookup('nobody.invalid')).rejects.toMatchObject({
    code: expect.stringMatching(/^E/),
  });
});

test('who asks for a name while it is looked up gets the same answer; later it is asked anew', async () => {
  const answers: ((addresses: readonly string[]) => void)[] = [];
  const lookup = createLookup(() => new Promise((resolve) => answers.push(resolve)));
  const both = [lookup('a.example'), lookup('a.example'), lookup('b.example')];
  expect(answers).toHaveLength(2);
  answers[0]?.(['192.0.2.1']);
  answers[1]?.(['192.0.2.2']);
  expect(await Promise.all(both)).toEqual([['192.0.2.1'], ['192.0.2.1'], ['192.0.2.2']]);
  const later = lookup('a.example');
  answers[2]?.(['192.0.2.3']);
  expect(await later).toEqual(['192.0.2.3']);
});

test('nobody waits for a resolver that does not answer', async () => {
  const lookup = createLookup(() => new Promise(() => undefined), 20);
  expect(await resolveHost('slow.example', 'https', { rules, lookup })).toMatchObject({
    failure: { message: "The host's name could not be resolved (ETIMEOUT)." },
  });
});
