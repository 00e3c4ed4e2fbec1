import { conflict } from '../../platform/kit/errors.ts';

/** Shorter than the longest key, so that a number fits behind it. */
const MADE_LENGTH_MAX = 48;

/** The key that was asked for, or one made from the name. Fails with CONFLICT key_taken. */
export function decideKey(
  { key, name }: { readonly key?: string | undefined; readonly name: string },
  what: 'program' | 'rule',
  taken: ReadonlySet<string>,
): string {
  if (key === undefined) return proposeKey(name, what, taken);
  if (taken.has(key)) throw conflict('key_taken', `There is another ${what} with the key ${key}.`);
  return key;
}

function proposeKey(name: string, what: string, taken: ReadonlySet<string>): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.replace(/[^a-z0-9]+/g, '-').slice(0, MADE_LENGTH_MAX);
  const trimmed = words.replace(/^-+|-+$/g, '');
  const base = /^[a-z]/.test(trimmed) ? trimmed : `${what}-${trimmed}`.replace(/-$/, '');
  let proposed = base;
  for (let n = 2; taken.has(proposed); n += 1) proposed = `${base}-${n}`;
  return proposed;
}
