/**
 * The URL, or undefined for a text that is none. Node 20's own `URL.canParse` says no to letters such
 * as ü once it was called some thousand times and V8 has compiled the call.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
