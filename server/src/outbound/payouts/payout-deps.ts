import type { Database } from '../../platform/db/database.ts';
import type { Outcome, ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import { ownRequest } from '../../platform/http/access/principal.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import type { NewId } from '../../platform/kit/ids.ts';
import { type Instant, toInstant } from '../../platform/kit/instant.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import type { PayeeOnboarding } from './details/details.ts';
import type { FindPayeeDetails } from './details/payee-details.ts';
import type { FindProvider, HoldConnection } from './provider.ts';

/** What every operation that writes needs. */
export interface WriteDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
}

export interface DetailsDeps extends WriteDeps {
  readonly keyring: Keyring;
  /** Null if no provider has payee accounts. */
  readonly payeeOnboarding: PayeeOnboarding | null;
}

export interface PayoutDeps extends WriteDeps {
  readonly findDetails: FindPayeeDetails;
  readonly findProvider: FindProvider;
  readonly holdConnection: HoldConnection;
}

/** Rewards that are changed under one lock of their project. */
export const SLICE = 500;

/** The real time: batches and transfers span projects, each of which has its own clock. */
export function realNow({ clock }: Pick<PayoutDeps, 'clock'>): Instant {
  return toInstant(clock.nowMs());
}

/**
 * One step in one project, in its own transaction. A sequence of steps may be interrupted between
 * any two and run twice at once: each step checks under the lock what is left to do.
 */
export function runStep<A>(
  deps: Pick<PayoutDeps, 'writer' | 'newId'>,
  projectId: string,
  body: (write: ProjectWrite) => Promise<A>,
): Promise<A> {
  return deps.writer.submit(
    {
      name: 'payouts',
      batchMax: 1,
      repeatable: true,
      run: async (write): Promise<Outcome<A>[]> => [{ answer: await body(write) }],
    },
    ownRequest(projectId, 'payouts', deps.newId('req')),
    undefined,
  );
}

export function slicesOf<T>(items: readonly T[], size: number = SLICE): T[][] {
  const slices: T[][] = [];
  for (let at = 0; at < items.length; at += size) slices.push(items.slice(at, at + size));
  return slices;
}
