import fc, { type StringConstraints } from 'fast-check';

const characters = (min: number, max: number) =>
  fc.integer({ min, max }).map(
    (code) => String.fromCodePoint(code),
    (character) => String(character).codePointAt(0) ?? -1,
  );
const character = fc.oneof(
  characters(0, 0x7f),
  characters(0x80, 0xd7ff),
  characters(0xe000, 0x10ffff),
);

/** Texts of any characters: what `unit: 'binary'` makes, without a second of preparation. */
export const anyText = (constraints: Omit<StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: character });

const urlText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(..."abcxyzABCXYZ0189-._~!$&'()*+,;=:@"),
    character.map(encodeURIComponent),
  ),
});

/** As `fc.webUrl` with a query and a fragment, likewise without preparation. */
export const anyUrl = (): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('http', 'https'),
      fc.webAuthority(),
      fc.array(urlText),
      fc.option(urlText),
      fc.option(urlText),
    )
    .map(
      ([scheme, authority, path, query, fragment]) =>
        `${scheme}://${authority}${path.map((segment) => `/${segment}`).join('')}` +
        (query === null ? '' : `?${query}`) +
        (fragment === null ? '' : `#${fragment}`),
    );
