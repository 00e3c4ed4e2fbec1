import { expect, test } from 'vitest';
import { cookieJarFor } from './cookies.ts';

test('over https cookies are the host’s own, secret to scripts and to other sites’ forms', () => {
  const jar = cookieJarFor('https://refer.example.com/app');
  expect(jar?.set(jar.session, 'v')).toBe(
    '__Host-partner-session=v; Max-Age=604800; Path=/; HttpOnly; Secure; SameSite=Lax',
  );
  expect(jar?.set(jar.form, 'v')).toBe(
    '__Host-partner-form=v; Path=/; HttpOnly; Secure; SameSite=Lax',
  );
  expect(jar?.clear(jar.session)).toBe(
    '__Host-partner-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
  );
});

test('without https there are cookies on this machine only', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]']) {
    const jar = cookieJarFor(`http://${host}:8080`);
    expect(jar?.set(jar.session, 'v')).toBe(
      'partner-session=v; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax',
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
