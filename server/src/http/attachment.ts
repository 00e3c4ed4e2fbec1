const NAME_LENGTH_MAX = 150;

/** A `Content-Disposition` for a download. Callers may have had a say in its name. */
export function attachment(fileName: string): string {
  const [, stem = '', ending = ''] = /^(.*?)(\.[a-z]{1,5})?$/s.exec(fileName) ?? [];
  const safe = stem.replace(/[^A-Za-z0-9._-]+/g, '_').slice(0, NAME_LENGTH_MAX);
  return `attachment; filename="${safe}${ending}"`;
}
