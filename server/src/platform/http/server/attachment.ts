const NAME_LENGTH_MAX = 150;

/** A `Content-Disposition` for a download. Callers may have chosen its name. */
export function attachment(fileName: string): string {
  const ending = /\.[a-z]{1,5}$/.exec(fileName)?.[0] ?? '';
  const safe = fileName
    .slice(0, fileName.length - ending.length)
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .slice(0, NAME_LENGTH_MAX);
  return `attachment; filename="${safe}${ending}"`;
}
