import type { Instant } from '../../../platform/kit/instant.ts';
import type { PersonKind } from '../kinds.ts';

/** When kinds were switched on, by the Project's clock. */
export type SwitchedOn = Readonly<Partial<Record<PersonKind, Instant>>>;

/** The times after a change: a kind that stays on keeps its own. */
export function switchKinds(
  known: SwitchedOn,
  kinds: readonly PersonKind[],
  now: Instant,
): SwitchedOn {
  return Object.fromEntries(kinds.map((kind) => [kind, known[kind] ?? now]));
}

/** Whether a fact happened while its kind was on. Times of kinds that earlier versions switched on are not known. */
export function isSince(switchedOn: SwitchedOn, kind: PersonKind, at: Instant): boolean {
  return at >= (switchedOn[kind] ?? '');
}
