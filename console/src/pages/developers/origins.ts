/** What is wrong with an origin; null if it is valid. */
export function problemOfOrigin(text: string): string | null {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return `“${text}” is not a valid address. Use the form https://www.example.com.`;
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return `“${text}” must start with https://.`;
  if (url.origin !== text.replace(/\/$/, '').toLowerCase())
    return `“${text}” is more than an origin. Enter only ${url.origin}.`;
  return null;
}

/** One origin per line, without a trailing slash; empty lines and repeats are left out. */
export const readOrigins = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,]+/)
      .map((one) => one.trim().replace(/\/$/, '').toLowerCase())
      .filter((one) => one !== ''),
  ),
];
