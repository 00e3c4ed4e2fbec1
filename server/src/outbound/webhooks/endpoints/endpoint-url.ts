import { AppError } from '../../../platform/kit/errors.ts';
import { parseUrl } from '../../../platform/kit/parse-url.ts';
import type { Failure } from '../dispatch/failure.ts';
import type { Scheme } from '../sender/address-rules.ts';
import { type Reach, resolveHost } from '../sender/resolve-host.ts';

export const URL_LENGTH_MAX = 2_048;

/** The location of an endpoint, normalized by the URL standard. */
export interface EndpointUrl {
  readonly scheme: Scheme;
  /** An ASCII name or an address, without brackets. */
  readonly host: string;
  readonly origin: string;
  /** With the query; a fragment is never sent. */
  readonly path: string;
}

export type ReadUrl =
  | { readonly ok: true; readonly url: EndpointUrl }
  | { readonly ok: false; readonly issue: string };

/**
 * Parses the URL of an endpoint. Whether its host may be reached, and whether http is allowed,
 * depends on the host's addresses: see `resolveHost`.
 */
export function readEndpointUrl(text: string): ReadUrl {
  const refuse = (issue: string): ReadUrl => ({ ok: false, issue });
  // The standard would drop them silently, and the URL called would differ from the one shown.
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
  // An absolute name ("example.com.") differs from the name in its certificate and Host header.
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

/**
 * Fails with INVALID_REQUEST for a URL that may not be called, or whose host has no address. Later
 * addresses of the name are checked on every connection.
 */
export async function vetUrl(text: string, reach: Reach): Promise<EndpointUrl> {
  const read = readEndpointUrl(text);
  if (!read.ok) throw refusal({ reason: 'invalid_url', message: read.issue });
  const resolved = await resolveHost(read.url.host, read.url.scheme, reach);
  if (!resolved.ok) throw refusal(resolved.failure);
  return read.url;
}

function refusal({ reason, message }: Failure): AppError {
  return new AppError('INVALID_REQUEST', `Invalid request: url cannot be used. ${message}`, {
    reason,
    details: [{ path: 'url', issue: message }],
  });
}
