import type { Instant } from '../../../platform/kit/instant.ts';
import type { JudgedCandidate } from '../../attribution/decide-attribution.ts';
import type { NamedCode } from '../batch/facts.ts';
import type { RefCodeReason } from '../read/reasons.ts';

/** Maximum length of a code or slug. */
const NAME_CHARS_MAX = 50;

export interface RefCodeVerdict {
  readonly accepted: boolean;
  readonly reason: RefCodeReason | null;
}

/** The result for an existing code: applied, waiting for its subscription, or neither. */
export function judgeCode({ verdict, reason }: JudgedCandidate): RefCodeVerdict {
  const accepted = verdict === 'selected' || reason === 'awaiting_subscription';
  return { accepted, reason: accepted ? null : reason };
}

/** Normalizes a typed code: white space and letter case do not matter. */
export function toCodeName(text: string): string {
  return text.trim().toLowerCase();
}

/**
 * The code that a text named at that time, or why it names none: such a text never fails a signup.
 * If the name was moved to another Program later, the previous holder counts.
 */
export function readRefCode(
  text: string,
  names: ReadonlyMap<string, readonly NamedCode[]>,
  at: Instant,
): { readonly code: NamedCode } | { readonly verdict: RefCodeVerdict } {
  const name = toCodeName(text);
  const refuse = (reason: RefCodeVerdict['reason']) => ({ verdict: { accepted: false, reason } });
  if (name === '') return refuse('empty');
  if (name.length > NAME_CHARS_MAX) return refuse('too_long');
  const code = names.get(name)?.find(({ movedAt }) => movedAt === null || at < movedAt);
  return code ? { code } : refuse('unknown');
}
