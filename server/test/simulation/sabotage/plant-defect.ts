import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Plugin } from 'esbuild';
import type { Defect, Edit } from './defects.ts';

/** The source with these edits. Each of their texts must be in it exactly once. */
export function editSource(source: string, edits: readonly Edit[]): string {
  let edited = source;
  for (const { file, from, to } of edits) {
    const found = edited.split(from).length - 1;
    if (found !== 1) throw new Error(`${file} has this text ${found} times: ${from}`);
    edited = edited.replace(from, () => to);
  }
  return edited;
}

/** Builds the service with a defect. Its sources stay as they are. */
export function plantDefect({ name, edits }: Defect): Plugin {
  return {
    name: 'defect',
    setup(build) {
      const waiting = new Set(edits.map(({ file }) => file));
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const own = edits.filter(({ file }) => path.endsWith(join(sep, 'server/src', file)));
        const [first] = own;
        if (!first) return null;
        waiting.delete(first.file);
        return { contents: editSource(readFileSync(path, 'utf8'), own), loader: 'ts' };
      });
      build.onEnd(() => {
        if (waiting.size > 0) throw new Error(`${name}: no world runs ${[...waiting].join(', ')}`);
      });
    },
  };
}
