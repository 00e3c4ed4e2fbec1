const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
/** As long as a session lives at most. */
const SESSION_SECONDS = 7 * 24 * 60 * 60;

/** How cookies are set where the service is reached. */
export interface CookieJar {
  readonly session: string;
  readonly form: string;
  /** Sets a cookie until it runs out; the form's as long as the browser stays open. */
  set(name: string, value: string): string;
  clear(name: string): string;
}

/**
 * Undefined where browsers would send them in clear over a network: then nobody can sign in. With
 * https no other host can set them (`__Host-`), and they are never sent without it.
 */
export function cookieJarFor(baseUrl: string): CookieJar | undefined {
  const { protocol, hostname } = new URL(baseUrl);
  const isSecure = protocol === 'https:';
  if (!isSecure && !LOOPBACK.test(hostname)) return undefined;
  const prefix = isSecure ? '__Host-' : '';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const session = `${prefix}partner-session`;
  return {
    session,
    form: `${prefix}partner-form`,
    set(name, value) {
      const life = name === session ? `; Max-Age=${SESSION_SECONDS}` : '';
      return `${name}=${value}; ${attributes}${life}`;
    },
    clear: (name) => `${name}=; ${attributes}; Max-Age=0`,
  };
}

/** The value of a cookie; of several with the name the first, which has the longest path. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [key = '', ...rest] = pair.split('=');
    if (key.trim() === name) return rest.join('=').trim();
  }
  return undefined;
}
