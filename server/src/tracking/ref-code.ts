import type { NamedCode } from './slice.ts';

/** The longest name a code or slug can have. */
const NAME_CHARS_MAX = 50;

export interface RefCodeVerdict {
  readonly accepted: boolean;
  readonly reason: 'empty' | 'too_long' | 'unknown' | 'not_a_signup' | null;
}

/** A code as people type it: white space and letter case do not matter. */
export function toCodeName(text: string): string {
  return text.trim().toLowerCase();
}

/** A code that means nothing never fails a signup: it is told, and clicks decide. */
export function readRefCode(
  text: string,
  names: ReadonlyMap<string, NamedCode>,
): { verdict: RefCodeVerdict; code: NamedCode | null } {
  const name = toCodeName(text);
  const refuse = (reason: RefCodeVerdict['reason']) => ({
    verdict: { accepted: false, reason },
    code: null,
  });
  if (name === '') return refuse('empty');
  if (name.length > NAME_CHARS_MAX) return refuse('too_long');
  const code = names.get(name);
  return code ? { verdict: { accepted: true, reason: null }, code } : refuse('unknown');
}
