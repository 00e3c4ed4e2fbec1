import { findPartnerIds } from '../../../domain/participants/queries.ts';
import type { FindPayable } from '../../../domain/rewards/queries.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { findProjectClock } from '../../../platform/feed/writer/project-clock.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { canPayTo, type PayoutMethod } from '../methods.ts';
import { inUse } from './decide-details-change.ts';
import type { Details, DetailsOwner, PayoutType } from './details.ts';
import { type DetailsRow, listDetails } from './details-store.ts';
import { openDetails } from './seal-details.ts';

/** The details that payouts may use now, still encrypted. */
export interface PayeeDetails {
  readonly id: string;
  readonly type: PayoutType;
  /** `needs_update` after a provider refused them: nothing is paid to them. */
  readonly status: 'active' | 'needs_update';
  /** Of the account: see `fingerprintDetails`. */
  readonly fingerprint: string;
  /** Decrypts: call it at the last moment, and neither store nor log the result. */
  open(): Details;
}

export function isPayable(method: PayoutMethod, { status, type }: PayeeDetails): boolean {
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
export function createFindPayeeDetails(deps: {
  readonly reads: Queryable;
  readonly clock: Clock;
  readonly keyring: Keyring;
}): FindPayeeDetails {
  const { reads, clock, keyring } = deps;
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

/** A payee's details in use. A pending change is not visible here. */
export interface FoundDetails
  extends PayeeDetails,
    Pick<DetailsRow, 'label' | 'country' | 'currency' | 'fingerprint'> {
  readonly owner: DetailsOwner;
}

/**
 * The details in use at a project's time for each of these participants; participants without any
 * are left out. If a partner is behind a participant, the details are the partner's.
 */
export async function findPayoutDetails(
  db: Queryable,
  projectId: string,
  participantIds: readonly string[],
  { keyring, now }: { readonly keyring: Keyring; readonly now: Instant },
): Promise<ReadonlyMap<string, FoundDetails>> {
  const partnerIds = await findPartnerIds(db, projectId, participantIds);
  const find = async (kind: DetailsOwner['kind'], scope: string, ids: readonly string[]) => {
    const rows = ids.length === 0 ? [] : await listDetails(db, scope, kind, ids);
    const byOwner = groupBy(rows, (row) => row.ownerId);
    return new Map(
      [...byOwner].flatMap(([id, records]): [string, FoundDetails][] => {
        const used = inUse(records, now);
        return used ? [[id, toFound(keyring, { kind, projectId: scope, id }, used)]] : [];
      }),
    );
  };
  const persons = participantIds.filter((id) => !partnerIds.has(id));
  const ofPersons = await find('participant', projectId, [...new Set(persons)]);
  const ofPartners = await find('partner', '', [...new Set(partnerIds.values())]);
  return new Map(
    participantIds.flatMap((id): [string, FoundDetails][] => {
      const found = ofPersons.get(id) ?? ofPartners.get(partnerIds.get(id) ?? '');
      return found ? [[id, found]] : [];
    }),
  );
}

function toFound(keyring: Keyring, owner: DetailsOwner, row: DetailsRow): FoundDetails {
  const { id, type, label, country, currency, fingerprint, failedAt } = row;
  return {
    id,
    owner,
    type,
    label,
    country,
    currency,
    status: failedAt === null ? 'active' : 'needs_update',
    fingerprint,
    open: () => openDetails(keyring, owner, id, row),
  };
}
