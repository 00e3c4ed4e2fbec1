/** A year. No `preload` and no `includeSubDomains`: both would affect hosts that are not ours. */
const HSTS = 'max-age=31536000';

/**
 * On every response: browsers must not guess another type than the declared one, and must return by
 * https only if the service is served by https.
 */
export function securityHeaders(baseUrl: string): Readonly<Record<string, string>> {
  const isSecure = new URL(baseUrl).protocol === 'https:';
  return {
    'x-content-type-options': 'nosniff',
    ...(isSecure ? { 'strict-transport-security': HSTS } : {}),
  };
}
