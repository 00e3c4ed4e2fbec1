import { Fragment } from 'react';

/** An e-mail address or URL, broken at its signs before it is broken within a word. */
export function Breakable({ text }: { text: string }) {
  return splitAtSigns(text).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is where it is
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

const splitAtSigns = (text: string): string[] => text.split(/(?=@)|(?<=\/)(?!\/)/);
