import { expect, test } from 'vitest';
import { isHttps, PLATFORMS, shareUrl } from './share.ts';

const shared = {
  link: 'https://refer.example.com/l/k7/ada?a=1&b=2',
  message: 'Join & save 10% #now "quick" <b>',
  subject: 'Acme & friends',
};

test('every platform gets link and message whole, in an address of its own', () => {
  const urls = PLATFORMS.map((platform) => [platform, shareUrl(platform, shared)]);
  const read = Object.fromEntries(
    urls.map(([platform, address]) => {
      if (!address) return [platform, null];
      const url = new URL(address);
      return [platform, [url.origin + url.pathname, Object.fromEntries(url.searchParams)]];
    }),
  );
  const { link, message, subject } = shared;
  expect(read).toEqual({
    whatsapp: ['https://wa.me/', { text: `${message} ${link}` }],
    telegram: ['https://t.me/share/url', { url: link, text: message }],
    facebook: ['https://www.facebook.com/sharer/sharer.php', { u: link }],
    twitter: ['https://twitter.com/intent/tweet', { text: message, url: link }],
    linkedin: ['https://www.linkedin.com/sharing/share-offsite/', { url: link }],
    email: ['null', { subject, body: `${message} ${link}` }],
    instagram: null,
  });
});

test('a message is shared whatever is in it, and may be empty', () => {
  const url = shareUrl('whatsapp', { ...shared, message: 'half \ud83d of a pair' });
  expect(new URL(url ?? '').searchParams.get('text')).toBe(`half \ufffd of a pair ${shared.link}`);
  expect(shareUrl('whatsapp', { ...shared, message: '' })).toBe(
    `https://wa.me/?text=${encodeURIComponent(shared.link)}`,
  );
});

test.each([
  ['https://example.com', true],
  ['javascript:alert(1)', false],
  [' javascript:alert(1)//https://', false],
  ['data:text/html,https://', false],
  ['http://example.com', false],
  ['', false],
  [null, false],
])('%s is linked to: %s', (url, isTaken) => {
  expect(isHttps(url)).toBe(isTaken);
});
