import { expect, test } from 'vitest';
import { cookieJarFor, readCookie } from './cookies.ts';

test('over https cookies are the host’s own, secret to scripts and to other sites’ forms', () => {
  const jar = cookieJarFor('https://refer.example.com/app');
  expect(jar?.set(jar.session, 'v')).toBe(
    '__Host-partner-session=v; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=604800',
  );
  expect(jar?.set(jar.form, 'v')).toBe(
    '__Host-partner-form=v; Path=/; HttpOnly; SameSite=Lax; Secure',
  );
  expect(jar?.clear(jar.session)).toBe(
    '__Host-partner-session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0',
  );
});

test('without https there are cookies on this machine only', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]']) {
    const jar = cookieJarFor(`http://${host}:8080`);
    expect(jar?.set(jar.session, 'v')).toBe(
      'partner-session=v; Path=/; HttpOnly; SameSite=Lax; Max-Age=604800',
    );
  }
  for (const host of [
    '10.0.0.1',
    'localhost.example.com',
    '127.0.0.1.example.com',
    'example.com',
  ]) {
    expect(cookieJarFor(`http://${host}`)).toBeUndefined();
  }
});

test('a cookie is found by its whole name, the first of several', () => {
  expect(readCookie('a=1; partner=x=y ;partner=z', 'partner')).toBe('x=y');
  expect(readCookie('not-partner=1', 'partner')).toBeUndefined();
  expect(readCookie('partner', 'partner')).toBe('');
  expect(readCookie(undefined, 'partner')).toBeUndefined();
});
