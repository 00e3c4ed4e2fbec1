/** Only an address of the console itself: a link may contain any address. */
export const ownPath = (next: string | undefined): string | null =>
  next?.startsWith('/') && !next.startsWith('//') && !next.includes('\\') ? next : null;
