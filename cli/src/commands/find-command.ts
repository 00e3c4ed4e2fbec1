import { GROUP_ALIASES } from '../names.ts';
import type { Command } from './command.ts';

/** The words before the first option, and the rest. */
export function splitWords(args: readonly string[]): { words: string[]; rest: string[] } {
  const split = args.findIndex((arg) => arg.startsWith('-'));
  return split < 0
    ? { words: [...args], rest: [] }
    : { words: args.slice(0, split), rest: args.slice(split) };
}

/** The command that the words begin with, longest first, and how many of them belong to it. */
export function matchWords(
  commands: readonly Command[],
  words: readonly string[],
): { readonly command: Command; readonly count: number } | undefined {
  for (const count of [2, 1]) {
    const said = words.slice(0, count);
    if (said.length < count) continue;
    const command = commands.find((one) =>
      [one.words, ...one.also].some(
        (call) =>
          call.length === count &&
          isCalled(call[0] ?? '', said[0] ?? '') &&
          (count === 1 || call[1] === said[1]),
      ),
    );
    if (command) return { command, count };
  }
  return undefined;
}

/** The commands of one group. */
export function findGroup(commands: readonly Command[], said: string): readonly Command[] {
  return commands.filter(({ words }) => words.length === 2 && isCalled(words[0] ?? '', said));
}

/** Groups can also be named in the singular, and by their name in the API. */
function isCalled(name: string, said: string): boolean {
  if (said === name || said === singular(name)) return true;
  return Object.entries(GROUP_ALIASES).some(
    ([alias, target]) => target === name && (said === alias || said === singular(alias)),
  );
}

function singular(name: string): string {
  return name
    .replace(/ies$/, 'y')
    .replace(/(?<=[ct]h)es$/, '')
    .replace(/(?<=[^s])s$/, '');
}
