interface Piece {
  readonly text: string;
  readonly href?: string;
}

/** Splits a message of the service at the documentation pages that it names. */
export function splitDocsLinks(text: string): Piece[] {
  return text
    .split(/((?<![^\s(])\/docs\/[a-z0-9/#-]*[a-z0-9])/)
    .filter((piece) => piece !== '')
    .map((piece) =>
      /^\/docs\/[a-z0-9]/.test(piece) ? { text: piece, href: piece } : { text: piece },
    );
}
