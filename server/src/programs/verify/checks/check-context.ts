import type { Tx } from '../../../platform/db/database.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { Difference } from '../findings.ts';
import type { AuditedParties } from '../stores/fact-store.ts';

export interface AuditedHead {
  readonly feedPosition: number;
  readonly lastAt: Instant;
  readonly numbers: Readonly<Record<string, number>>;
}

/** A snapshot of one project, and where to report what is wrong with it. */
export interface CheckContext {
  readonly tx: Tx;
  readonly projectId: string;
  readonly head: AuditedHead;
  report(differences: readonly Difference[]): void;
  /** Called now and then to show progress. */
  progress(what: string, done: number, total: number): void;
}

/** Checks one aspect of a project. Reads in pages, because a project may have millions of rows. */
export type Check = (context: CheckContext) => Promise<void>;

interface Walked<R> {
  readonly what: string;
  readonly total: number;
  readonly pages: AsyncIterable<readonly R[]>;
}

/** Walks over pages of rows and reports progress. */
export async function walk<R>(
  context: CheckContext,
  { what, total, pages }: Walked<R>,
  visit: (row: R) => void,
): Promise<void> {
  let done = 0;
  for await (const page of pages) {
    for (const row of page) visit(row);
    done += page.length;
    context.progress(what, done, total);
  }
}

/** Whether an event may count for the referral with this referee (D-AM-2). */
export function isCreditedFor(parties: AuditedParties, refereeId: string | null): boolean {
  const { participantId, actorId, creatorId } = parties;
  return refereeId !== null && [participantId, actorId, creatorId].includes(refereeId);
}
