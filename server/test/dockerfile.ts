/** One line of a Dockerfile, continued lines joined. */
interface Instruction {
  readonly name: string;
  readonly rest: string;
}

export interface Stage {
  readonly name: string;
  /** An image, or the name of an earlier stage. */
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile, in order. Only what ours has is known. */
export function readDockerfile(text: string): Stage[] {
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') {
      const [from = '', , as = 'final'] = rest.split(/\s+/);
      stages.push({ name: as, from, instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (!stage || name === '') throw new Error(`This is no instruction: ${line}`);
      stage.instructions.push({ name, rest });
    }
  }
  return stages;
}

/** Where a COPY takes what, and where to: `from` is a stage, or undefined for the context. */
export function readCopy(rest: string): { from?: string; sources: string[]; target: string } {
  const words = rest.split(/\s+/);
  const flags = words.filter((word) => word.startsWith('--'));
  const paths = words.filter((word) => !word.startsWith('--'));
  const target = paths.pop() ?? '';
  const from = flags.map((flag) => /^--from=(.+)$/.exec(flag)?.[1])[0];
  return { ...(from === undefined ? {} : { from }), sources: paths, target };
}

/** Whether a path of the context is left out, by the patterns of a .dockerignore. */
export function makeIgnore(text: string): (path: string) => boolean {
  const patterns = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((pattern) => {
      if (pattern.startsWith('!')) throw new Error(`Exceptions are not known here: ${pattern}`);
      const source = pattern
        .replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replace(/\*\*\//g, '\0')
        .replace(/\*/g, '[^/]*')
        .replaceAll('\0', '(?:.*/)?');
      return new RegExp(`^${source}(?:/|$)`);
    });
  return (path) => patterns.some((pattern) => pattern.test(path));
}
