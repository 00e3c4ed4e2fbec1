import type { FindPayable } from '../../../domain/rewards/reward-deps.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { findProjectClock } from '../../../platform/feed/writer/project-clock.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { canPayTo, type DetailsType, type PayoutMethod } from '../methods.ts';
import type { Details } from './details.ts';
import { findPayoutDetails } from './find-payout-details.ts';

/** The details that payouts may use now, still encrypted. */
export interface PayeeDetails {
  readonly id: string;
  readonly type: DetailsType;
  /** `needs_update` after a provider refused them: nothing is paid to them. */
  readonly status: 'active' | 'needs_update';
  /** Call at the last moment, and never store the result. */
  open(): Details;
}

/** Whether the method can pay to these details. */
export function isPayable(
  method: PayoutMethod,
  { status, type }: Pick<PayeeDetails, 'status' | 'type'>,
): boolean {
  return status === 'active' && canPayTo(method, type);
}

/**
 * The details of those participants who have some. If a partner is behind a participant, the
 * partner's.
 */
export type FindPayeeDetails = (
  projectId: string,
  participantIds: readonly string[],
) => Promise<ReadonlyMap<string, PayeeDetails>>;

/** The details in use at the project's time. Call it outside any transaction. */
export function createFindPayeeDetails({
  reads,
  clock,
  keyring,
}: {
  readonly reads: Queryable;
  readonly clock: Clock;
  readonly keyring: Keyring;
}): FindPayeeDetails {
  return async (projectId, participantIds) => {
    const { now } = await findProjectClock(reads, clock, projectId);
    return findPayoutDetails(reads, projectId, participantIds, { keyring, now });
  };
}

/** Those of these participants who can be paid. */
export function findPayableBy(findDetails: FindPayeeDetails): FindPayable {
  return async (projectId, participantIds) => {
    const found = await findDetails(projectId, participantIds);
    return new Set([...found].flatMap(([id, { status }]) => (status === 'active' ? [id] : [])));
  };
}
