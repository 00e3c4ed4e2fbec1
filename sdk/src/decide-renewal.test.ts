import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cookieAttributes, decideRenewal, type Exchange } from './decide-renewal.ts';

const HANDLE = 'hdl_0123456789abcdefghjkmnpqrs';
const ATTRIBUTES = cookieAttributes();
const PAGE = { 'sec-fetch-dest': 'document', cookie: `a=b; service_handle=${HANDLE}` };
const exchange = (changes: Partial<Exchange> = {}): Exchange => ({
  method: 'GET',
  headers: PAGE,
  setCookies: [],
  cacheControl: '',
  ...changes,
});
const decide = (changes: Partial<Exchange> = {}) => decideRenewal(exchange(changes), ATTRIBUTES);

describe('the handle of a page’s visitor', () => {
  test('is sent back as a cookie that scripts can read, for 90 days', () => {
    expect(decide()).toEqual({
      setCookie: `service_handle=${HANDLE}; Path=/; Max-Age=7776000; SameSite=Lax; Secure`,
      cacheControl: 'private, no-cache',
    });
  });

  test('is kept for the domain and the time that the landing script uses', () => {
    const attributes = cookieAttributes({ domain: 'example.com', maxAgeDays: 400, secure: false });
    expect(attributes).toBe('Path=/; Max-Age=34560000; SameSite=Lax; Domain=example.com');
  });

  test.each([
    { maxAgeDays: 0 },
    { maxAgeDays: -1 },
    { maxAgeDays: 401 },
    { maxAgeDays: Number.NaN },
    { domain: '' },
    { domain: 'example.com; Path=/x' },
    { domain: 'https://example.com' },
  ])('is not kept with %o, which is refused at the start', (options) => {
    expect(() => cookieAttributes(options)).toThrow(TypeError);
  });

  test('is sent back only with a page', () => {
    const { cookie } = PAGE;
    const html = { cookie, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    expect(decide({ headers: html })).not.toBe(null);
    for (const headers of [
      { ...html, 'sec-fetch-dest': 'image' },
      { ...html, 'sec-fetch-dest': 'iframe' },
      { ...html, 'sec-fetch-dest': 'empty' },
      { cookie, accept: '*/*' },
      { cookie },
    ]) {
      expect(decide({ headers })).toBe(null);
    }
    for (const method of ['POST', 'HEAD', 'OPTIONS', undefined]) {
      expect(decide({ method })).toBe(null);
    }
  });

  test('is not sent over a cookie that the page sets itself', () => {
    expect(decide({ setCookies: ['a=b', 'service_handle=; Max-Age=0'] })).toBe(null);
    expect(decide({ setCookies: ['service_handles=1'] })).not.toBe(null);
  });

  test.each([
    ['', 'private, no-cache'],
    ['public', 'private'],
    ['no-store', 'private, no-store'],
    ['private, max-age=60', 'private, max-age=60'],
    ['public, max-age=60, S-MaxAge=600, must-revalidate', 'private, max-age=60, must-revalidate'],
  ])('makes Cache-Control %o into %o, so that nobody else gets it', (cacheControl, expected) => {
    expect(decide({ cacheControl })?.cacheControl).toBe(expected);
  });

  test('is not invented: without a cookie of a handle’s form nothing is set', () => {
    for (const cookie of [
      'a=b',
      'service_handle=',
      `service_handle=${HANDLE}x`,
      `service_handle=${HANDLE.toUpperCase()}`,
      `service_handle=${HANDLE}%0d%0aset-cookie:x`,
      `xservice_handle=${HANDLE}`,
    ]) {
      expect(decide({ headers: { ...PAGE, cookie } })).toBe(null);
    }
  });

  test('is the only text of a visitor that an answer repeats', () => {
    const form =
      /^service_handle=hdl_[0-9a-z]{26}; Path=\/; Max-Age=7776000; SameSite=Lax; Secure$/;
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^hdl_[0-9a-z]{24,28}$/),
    );
    fc.assert(
      fc.property(value, (text) => {
        const renewal = decide({ headers: { ...PAGE, cookie: `service_handle=${text}; b=c` } });
        if (renewal !== null) expect(renewal.setCookie).toMatch(form);
      }),
    );
  });
});
