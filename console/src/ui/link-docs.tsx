import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { splitDocsLinks } from './split-docs-links.ts';

/** A message of the service, with links to the documentation pages that it names. */
export function linkDocs(text: string | undefined): ReactNode {
  if (text === undefined) return undefined;
  return splitDocsLinks(text).map(({ text: piece, href }) =>
    href ? (
      <Anchor key={piece} href={href} target="_blank" inherit underline="always" c="inherit">
        {piece}
      </Anchor>
    ) : (
      piece
    ),
  );
}
