import { parseUrl } from '../../../platform/kit/parse-url.ts';
import type { Scheme } from '../sender/address-rules.ts';

export const URL_LENGTH_MAX = 2_048;

/** Where an endpoint is, in the one way of writing that the URL standard gives it. */
export interface EndpointUrl {
  readonly scheme: Scheme;
  /** A name in ASCII, or an address, without brackets. */
  readonly host: string;
  readonly origin: string;
  /** With the query; a fragment is never sent. */
  readonly path: string;
}

export type ReadUrl =
  | { readonly ok: true; readonly url: EndpointUrl }
  | { readonly ok: false; readonly issue: string };

/**
 * Reads the URL of an endpoint. Whether its host may be reached, and whether http will do, depends
 * on the host's addresses: `resolveHost` says.
 */
export function readEndpointUrl(text: string): ReadUrl {
  const refuse = (issue: string): ReadUrl => ({ ok: false, issue });
  // The standard would drop them silently, and call something other than what is shown.
  if (/[\s\p{Cc}]/u.test(text))
    return refuse('The URL must not contain spaces or control characters.');
  const url = parseUrl(text);
  if (!url) return refuse('This is not a URL.');
  if (Math.max(text.length, url.href.length) > URL_LENGTH_MAX) {
    return refuse(`The URL must not be longer than ${URL_LENGTH_MAX} characters.`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return refuse('The URL must begin with https://.');
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('The URL must not contain a user or a password.');
  }
  // An absolute name ("example.com.") is not what its certificate and its Host header say.
  if (url.hostname.split('.').includes('')) {
    return refuse('The host must not begin or end with a dot, or have two in a row.');
  }
  if (url.port === '0') return refuse('The port must not be 0.');
  return {
    ok: true,
    url: {
      scheme: url.protocol === 'https:' ? 'https' : 'http',
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      origin: url.origin,
      path: url.pathname + url.search,
    },
  };
}
