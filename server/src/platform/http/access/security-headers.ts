/** A year. No `preload` and no `includeSubDomains`: both would speak for hosts that are not ours. */
const HSTS = 'max-age=31536000';

/**
 * On every response, whatever its kind: browsers must not guess another type than the one that is
 * declared, and return by https only where the service is served that way.
 */
export function securityHeaders(baseUrl: string): Readonly<Record<string, string>> {
  const isSecure = new URL(baseUrl).protocol === 'https:';
  return {
    'x-content-type-options': 'nosniff',
    ...(isSecure ? { 'strict-transport-security': HSTS } : {}),
  };
}
