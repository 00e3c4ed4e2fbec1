import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { WorldSpec } from '../world/operations.ts';

/** A small world that once found something, played with every change. */
export interface KeptWorld {
  readonly name: string;
  /** The planted defects of `sabotage/defects.ts` that it finds. */
  readonly finds: readonly string[];
  readonly spec: WorldSpec;
}

/** What is saved of it under its name. */
type File = WorldSpec & { readonly finds?: readonly string[] };

export function readWorlds(folder: string): KeptWorld[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.toSorted().map((file) => readWorld(join(folder, file)));
}

export function readWorld(path: string): KeptWorld {
  const { finds = [], ...spec }: File = JSON.parse(readFileSync(path, 'utf8'));
  return { name: basename(path, '.json'), finds, spec };
}

/** Returns the path of its file. */
export function writeWorld(folder: string, { name, finds, spec }: KeptWorld): string {
  const file: File = { ...(finds.length > 0 ? { finds } : {}), ...spec };
  const path = join(folder, `${name}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, toLines(file));
  return path;
}

/** JSON with a line for each program and operation. */
function toLines(file: File): string {
  const members = Object.entries(file).map(([name, value]) => {
    const text = Array.isArray(value)
      ? `[\n    ${value.map((one) => JSON.stringify(one)).join(',\n    ')}\n  ]`
      : JSON.stringify(value);
    return `"${name}": ${text}`;
  });
  return `{\n  ${members.join(',\n  ')}\n}\n`;
}

/** What a file of something with such a name is called. */
export const toFileName = (name: string): string => name.toLowerCase().replace(/\W+/g, '-');
