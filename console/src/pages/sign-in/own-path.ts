/** Only an address of the console itself: what comes with a link may name any. */
export const ownPath = (next: string | undefined): string | null =>
  next?.startsWith('/') && !next.startsWith('//') && !next.includes('\\') ? next : null;
