import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namedProject, verifyToken } from './verify-token.ts';

const NOW = 1_800_000_000;
const SECRET = `wsec_${'k'.repeat(43)}`;
const OTHER = `wsec_${'o'.repeat(43)}`;
const PROJECT = 'prj_1';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs without a library, so that anything can be signed. */
function sign(header: unknown, claims: unknown, secret = SECRET, hash = 'sha256'): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
}

const HEADER = { alg: 'HS256', typ: 'service-widget+jwt' };
const CLAIMS = {
  iss: PROJECT,
  projectId: PROJECT,
  aud: 'service-widget',
  sub: 'ada',
  participantKind: 'individual',
  iat: NOW,
  exp: NOW + 900,
  scope: 'widget:read',
};
const verify = (token: string, secrets = [SECRET], now = NOW) =>
  verifyToken(token, PROJECT, secrets, now * 1_000);
const withClaims = (claims: object) => verify(sign(HEADER, { ...CLAIMS, ...claims }));
const ADA = { participant: { kind: 'individual', externalId: 'ada' }, scopes: ['widget:read'] };
const refused = { fault: expect.any(String), isSigned: expect.any(Boolean) };

describe('a token (D-WID-4, D-WID-5)', () => {
  test('that is right speaks for its participant', async () => {
    expect(await verify(sign(HEADER, CLAIMS))).toEqual(ADA);
    expect(await withClaims({ participantKind: 'group', sub: ' 4 2 ' })).toMatchObject({
      participant: { kind: 'group', externalId: ' 4 2 ' },
    });
  });

  test('is good if any secret in force signed it, and with none it is not', async () => {
    const token = sign(HEADER, CLAIMS);
    expect(await verify(token, [OTHER, SECRET])).toEqual(ADA);
    expect(await verify(token, [SECRET, OTHER])).toEqual(ADA);
    expect(await verify(token, [OTHER])).toEqual(refused);
    expect(await verify(token, [])).toEqual(refused);
  });

  test('is signed with the bytes of the whole secret, prefix and all', async () => {
    const bytes = SECRET.slice('wsec_'.length);
    expect(await verify(sign(HEADER, CLAIMS, bytes))).toEqual(refused);
  });

  test('may hold scopes and claims that nobody knows', async () => {
    const scope = 'other widget:payout widget:read:more widget:payout';
    expect(await withClaims({ scope, jti: 'x' })).toMatchObject({ scopes: ['widget:payout'] });
    expect(await withClaims({ scope: 'openid' })).toMatchObject({ scopes: [] });
  });

  test('that is refused though its signature is right is told from a guess', async () => {
    const token = sign(HEADER, CLAIMS);
    expect(await verify(token, [SECRET], NOW + 931)).toMatchObject({ isSigned: true });
    expect(await withClaims({ aud: 'another' })).toMatchObject({ isSigned: true });
    expect(await verify(token, [OTHER], NOW + 931)).toMatchObject({ isSigned: false });
    expect(await verify('x.y.z')).toMatchObject({ isSigned: false });
  });

  test('of a wrong signature gives no hint whether its Project has secrets', async () => {
    const token = sign(HEADER, CLAIMS);
    expect(await verify(token, [OTHER])).toEqual(await verify(token, []));
    expect(await verify('x.y.z', [OTHER])).toEqual(await verify('x.y.z', []));
  });

  test.each<[string, object]>([
    ['alg none', { alg: 'none' }],
    ['another HMAC', { alg: 'HS512' }],
    ['alg in lower case', { alg: 'hs256' }],
    ['no alg', { alg: undefined }],
    ['no typ', { typ: undefined }],
    ['typ JWT', { typ: 'JWT' }],
    ['typ in other case', { typ: 'Service-Widget+JWT' }],
    ['typ as a media type', { typ: 'application/service-widget+jwt' }],
    ['something critical that nobody knows', { crit: ['x'], x: 1 }],
    ['an unencoded payload', { crit: ['b64'], b64: false }],
  ])('with %s in its header is refused', async (_name, header) => {
    expect(await verify(sign({ ...HEADER, ...header }, CLAIMS))).toEqual(refused);
    expect(await verify(sign({ ...HEADER, ...header }, CLAIMS, SECRET, 'sha512'))).toEqual(refused);
  });

  test.each<[string, object]>([
    ['another iss', { iss: 'prj_2' }],
    ['another projectId', { projectId: 'prj_2' }],
    ['no projectId', { projectId: undefined }],
    ['another aud', { aud: 'widget' }],
    ['a list as aud', { aud: ['service-widget'] }],
    ['no aud', { aud: undefined }],
    ['no sub', { sub: undefined }],
    ['a number as sub', { sub: 42 }],
    ['a blank sub', { sub: '  ' }],
    ['a sub that is too long', { sub: 'x'.repeat(513) }],
    ['NUL in its sub', { sub: 'a\0b' }],
    ['half a character in its sub', { sub: '\ud800' }],
    ['no participantKind', { participantKind: undefined }],
    ['an unknown participantKind', { participantKind: 'Individual' }],
    ['no iat', { iat: undefined }],
    ['no exp', { exp: undefined }],
    ['a broken iat', { iat: NOW - 0.5 }],
    ['a text as exp', { exp: String(NOW + 900) }],
    ['an endless exp', { exp: 1e300 }],
    ['exp at iat', { exp: NOW }],
    ['exp before iat', { exp: NOW - 1 }],
    ['a life of 901 seconds', { exp: NOW + 901 }],
    ['an iat from the future', { iat: NOW + 31, exp: NOW + 60 }],
    ['an nbf from the future', { nbf: NOW + 31 }],
    ['an nbf that is no number', { nbf: 'now' }],
    ['no scope', { scope: undefined }],
    ['an empty scope', { scope: '' }],
    ['a list as scope', { scope: ['widget:read'] }],
    ['two spaces between scopes', { scope: 'widget:read  widget:payout' }],
    ['a space before its scope', { scope: ' widget:read' }],
    ['a space behind its scope', { scope: 'widget:read ' }],
    ['a tab between scopes', { scope: 'widget:read\twidget:payout' }],
    ['a comma and a line break between scopes', { scope: 'widget:read,\nwidget:payout' }],
  ])('with %s is refused', async (_name, claims) => {
    expect(await withClaims(claims)).toEqual(refused);
  });

  test('may be up to 30 seconds off, either way, and not a moment more', async () => {
    expect(await withClaims({ iat: NOW + 30, exp: NOW + 31 })).toEqual(ADA);
    expect(await withClaims({ nbf: NOW + 30 })).toEqual(ADA);
    const token = sign(HEADER, CLAIMS);
    expect(await verify(token, [SECRET], NOW + 900 + 29.999)).toEqual(ADA);
    expect(await verify(token, [SECRET], NOW + 900 + 30)).toEqual(refused);
  });

  test.each([
    ['nothing', ''],
    ['a word', 'token'],
    ['two parts', sign(HEADER, CLAIMS).split('.').slice(0, 2).join('.')],
    ['no signature', `${sign(HEADER, CLAIMS).split('.').slice(0, 2).join('.')}.`],
    ['five parts', 'a.b.c.d.e'],
    ['four parts', `${sign(HEADER, CLAIMS)}.x`],
    ['a list as header', sign([HEADER], CLAIMS)],
    ['a list as claims', sign(HEADER, [CLAIMS])],
    ['null as claims', sign(HEADER, null)],
    ['a text as claims', sign(HEADER, 'claims')],
  ])('that is %s is refused', async (_name, token) => {
    expect(await verify(token)).toEqual(refused);
  });

  test('with any one bit changed is refused', async () => {
    const token = sign(HEADER, CLAIMS);
    // The last letter of a signature has unused bits; all others count.
    const places = fc.nat({ max: token.length - 2 });
    await fc.assert(
      fc.asyncProperty(
        places,
        fc.constantFrom('A', 'B', '.', '_', 'é', '0'),
        async (at, letter) => {
          fc.pre(token[at] !== letter);
          const changed = token.slice(0, at) + letter + token.slice(at + 1);
          expect(await verify(changed)).toEqual(refused);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('of any shape at all is a value or a refusal, never a crash', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.jsonValue(),
        fc.string(),
        async (header, claims, text) => {
          expect(await verify(sign(header, claims))).toEqual(refused);
          expect(await verify(text)).toEqual(refused);
          expect(await verify(sign({ ...HEADER }, { ...CLAIMS, sub: claims }))).toBeDefined();
          namedProject(sign(header, claims));
        },
      ),
      { numRuns: 200 },
    );
  });
});

test('the Project that a token names is read without believing it', () => {
  expect(namedProject(sign(HEADER, CLAIMS, OTHER))).toBe(PROJECT);
  for (const iss of [undefined, '', 7, ['prj_1'], 'a\0b', 'prj 1', 'é', 'x'.repeat(513)]) {
    expect(namedProject(sign(HEADER, { ...CLAIMS, iss }))).toBeNull();
  }
  expect(namedProject('nonsense')).toBeNull();
});
