import type { Platform } from './api-types.ts';

/** In the order in which they are shown. */
export const PLATFORMS: readonly Platform[] = [
  'whatsapp',
  'telegram',
  'facebook',
  'twitter',
  'linkedin',
  'instagram',
  'email',
];

export interface Shared {
  readonly link: string;
  readonly message: string;
  /** Subject of an e-mail. */
  readonly subject: string;
}

/** The address for sharing; null for Instagram, which has none: the link is copied. */
export function shareUrl(platform: Platform, { link, message, subject }: Shared): string | null {
  const url = encode(link);
  const text = encode(message);
  const both = encode(message === '' ? link : `${message} ${link}`);
  switch (platform) {
    case 'whatsapp':
      return `https://wa.me/?text=${both}`;
    case 'telegram':
      return `https://t.me/share/url?url=${url}&text=${text}`;
    case 'facebook':
      return `https://www.facebook.com/sharer/sharer.php?u=${url}`;
    case 'twitter':
      return `https://twitter.com/intent/tweet?text=${text}&url=${url}`;
    case 'linkedin':
      return `https://www.linkedin.com/sharing/share-offsite/?url=${url}`;
    case 'email':
      return `mailto:?subject=${encode(subject)}&body=${both}`;
    case 'instagram':
      return null;
  }
}

/** An unpaired surrogate is no character, and encoding it would throw. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
}

/** The only addresses that the panel links to, besides those for sharing. */
export function isHttps(url: string | null): url is string {
  return url !== null && /^https:\/\//i.test(url);
}
