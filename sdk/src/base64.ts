/** Decodes base64; null if it is invalid. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  // `atob` is lenient: it accepts white space and missing padding.
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return null;
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** Base64 for URLs and tokens. */
export function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
