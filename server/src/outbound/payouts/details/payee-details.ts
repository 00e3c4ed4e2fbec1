import type { FindPayable } from '../../../domain/rewards/reward-deps.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { findProjectClock } from '../../../platform/feed/writer/project-clock.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { canPayTo, type DetailsType, type PayoutMethod } from '../methods.ts';
import type { Details } from './details.ts';
import { findPayoutDetails } from './find-payout-details.ts';

/** The details that payouts may use now, still sealed. */
export interface PayeeDetails {
  readonly id: string;
  readonly type: DetailsType;
  /** `needs_update` once a provider refused them: nobody is paid to such. */
  readonly status: 'active' | 'needs_update';
  /** To be opened at the last moment, and never to be kept. */
  open(): Details;
}

/** Whether anything may be paid to them by this method. */
export function isPayable(
  method: PayoutMethod,
  { status, type }: Pick<PayeeDetails, 'status' | 'type'>,
): boolean {
  return status === 'active' && canPayTo(method, type);
}

/** Those of these participants who have details; of one who stands for a Partner, the Partner's. */
export type FindPayeeDetails = (
  projectId: string,
  participantIds: readonly string[],
) => Promise<ReadonlyMap<string, PayeeDetails>>;

/** As they are used at the Project's time. Outside any transaction. */
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

/** Those of these participants to whom something can be paid. */
export function findPayableBy(findDetails: FindPayeeDetails): FindPayable {
  return async (projectId, participantIds) => {
    const found = await findDetails(projectId, participantIds);
    return new Set([...found].flatMap(([id, { status }]) => (status === 'active' ? [id] : [])));
  };
}
