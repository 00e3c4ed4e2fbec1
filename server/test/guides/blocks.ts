import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lexer, type Token, type Tokens } from 'marked';
import { makeHeadingIds, plainText } from '../../src/surfaces/docs/pages/render-markdown.ts';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A block of code in a page, and where it stands. */
export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  /** Marked as one that cannot run in a test. */
  readonly notRun: boolean;
  readonly text: string;
  /** Of the heading that it stands under, and of those above that. */
  readonly anchors: readonly string[];
}

/** A comment that says where the page goes on from: `<!-- after README.md#first-calls -->`. */
const AFTER = /^<!--\s*after (\S+)\s*-->/;

export interface Guide {
  readonly page: string;
  /** Run before its own: what the page takes as given. */
  readonly before: readonly Block[];
  readonly blocks: readonly Block[];
}

/** A page by its path in the repository, with its blocks in the order of reading. */
export function readGuide(page: string): Guide {
  const source = readFileSync(join(ROOT, page), 'utf8');
  const newId = makeHeadingIds();
  const blocks: Block[] = [];
  const before: Block[] = [];
  let above: { depth: number; id: string }[] = [];
  let at = 0;
  const visit = (token: Token) => {
    if (token.type === 'heading') {
      const { depth, tokens } = token as Tokens.Heading;
      above = [
        ...above.filter((one) => one.depth < depth),
        { depth, id: newId(plainText(tokens)) },
      ];
    } else if (token.type === 'code') {
      const { lang = '', text } = token as Tokens.Code;
      // A block in a list has lost its indentation, so it is looked for by its first line.
      at = source.indexOf(text.split('\n', 1)[0] ?? '', source.indexOf('```', at));
      const [language = '', ...marks] = lang.split(/\s+/);
      const line = source.slice(0, at).split('\n').length - 1;
      const anchors = above.map(({ id }) => id);
      blocks.push({ page, line, language, notRun: marks.includes('not-run'), text, anchors });
      at = source.indexOf('```', at) + 3;
    } else if (token.type === 'html') {
      const [, reference] = AFTER.exec(token.raw) ?? [];
      if (reference !== undefined) before.push(...readReferred(page, reference));
    } else if (token.type === 'list') {
      for (const item of (token as Tokens.List).items) item.tokens.forEach(visit);
    }
  };
  for (const token of lexer(source)) visit(token);
  return { page, before, blocks };
}

/** All blocks of another page, or of one of its chapters, with what these go on from themselves. */
function readReferred(page: string, reference: string): Block[] {
  const [file = '', anchor] = reference.split('#');
  const other = readGuide(normalize(join(dirname(page), file)));
  const wanted = other.blocks.filter(({ anchors }) => !anchor || anchors.includes(anchor));
  if (wanted.length === 0) throw new Error(`${page} goes on from ${reference}, which has no block`);
  return [...other.before, ...wanted];
}
