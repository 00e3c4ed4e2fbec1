/** The API reference was at /docs in earlier versions: links to its parts go on to where it is today. */
export function followOldLink(): void {
  const { pathname, hash } = location;
  if (/^\/docs\/?$/.test(pathname) && hash.length > 1 && !document.getElementById(hash.slice(1))) {
    location.replace(`/docs/api${hash}`);
  }
}
