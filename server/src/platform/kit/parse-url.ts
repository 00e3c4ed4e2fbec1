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
