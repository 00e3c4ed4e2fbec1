import { addMs, DAY_MS, type Instant } from '../kit/instant.ts';
import { statusAt } from '../programs/program-activity.ts';
import type { ProgramBook } from '../programs/program-book.ts';

/** How long a purchase waits for the signup that it outran. */
export const WAIT_MS = DAY_MS;

export interface PurchaseSituation {
  readonly hasReferral: boolean;
  readonly hasSignedUp: boolean;
  readonly participantCreatedAt: Instant;
  readonly now: Instant;
  readonly book: ProgramBook;
}

/** Until when a purchase waits for its person's signup; null when it is decided at once. */
export function waitUntil(situation: PurchaseSituation): Instant | null {
  const { now, book } = situation;
  if (situation.hasReferral || situation.hasSignedUp) return null;
  if (addMs(situation.participantCreatedAt, WAIT_MS) < now) return null;
  const canRefer = [...book.programs.values()].some((program) => {
    const status = statusAt(program, now);
    return program.kind !== 'loyalty' && (status === 'active' || status === 'paused');
  });
  return canRefer ? addMs(now, WAIT_MS) : null;
}
