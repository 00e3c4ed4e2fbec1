/** Headers of any framework: the web's, or an object of Node. */
export type HeadersLike =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A header by its lower-case name; repeated headers are joined, as in HTTP. */
export function readHeader(headers: HeadersLike, name: string): string | null {
  if (typeof headers.get === 'function') {
    const value: unknown = headers.get(name);
    return typeof value === 'string' ? value : null;
  }
  const given = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
  if (given === undefined) return null;
  return typeof given === 'string' ? given : (given as readonly string[]).join(', ');
}
