/**
 * The URL, or undefined for invalid text. Node 20's own `URL.canParse` rejects letters such as ü
 * once it was called some thousand times and V8 has compiled the call.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether it refers to this machine. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.test(new URL(url).hostname);
}

/** A request, as far as it shows where it comes from. */
interface Arrival {
  /** The address of the connection, or the one that a trusted proxy reported. */
  readonly ip: string;
  readonly headers: {
    readonly host?: string | undefined;
    readonly 'x-forwarded-for'?: string | string[] | undefined;
    readonly forwarded?: string | undefined;
  };
}

const LOOPBACK_IP = /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/i;

/**
 * Whether a request comes from this machine, to a loopback address, and through no proxy. In doubt
 * it does not.
 */
export function isFromThisMachine({ ip, headers }: Arrival): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false;
  const asked = parseUrl(`http://${headers.host ?? ''}`);
  return LOOPBACK_IP.test(ip) && asked !== undefined && LOOPBACK.test(asked.hostname);
}
