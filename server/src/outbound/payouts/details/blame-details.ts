import { holdPartner } from '../../../domain/partners/suspend-partner.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { isPartnerPayee } from '../batches/group-payees.ts';
import type { FailureReason } from '../methods.ts';
import type { PartRow, PayoutRow } from '../transfers/payout.ts';
import { inUse } from './decide-details-change.ts';
import type { DetailsOwner } from './details.ts';
import { type DetailsRow, listDetails, markFailed } from './details-store.ts';
import type { FoundDetails } from './payee-details.ts';

/** Failures caused by the details: a further payout to them would fail as well. */
const BLAMED: ReadonlySet<FailureReason | null> = new Set(['invalid_details', 'account_closed']);

function isBlamed({ status, failureReason }: PayoutRow): boolean {
  return (status === 'failed' || status === 'returned') && BLAMED.has(failureReason);
}

/**
 * Marks a participant's details as failed, in the transaction in which their project records the
 * failed payout.
 */
export async function blameParticipants(
  tx: Tx,
  projectId: string,
  ended: readonly { readonly part: PartRow; readonly payout: PayoutRow }[],
  now: Instant,
): Promise<void> {
  const blamed = ended.filter(({ payout }) => isBlamed(payout) && !isPartnerPayee(payout.payee));
  const owners = blamed.map(
    ({ part: { participantId: ownerId, createdAt: draftedAt }, payout }) => ({
      ownerId,
      payout,
      draftedAt,
    }),
  );
  await blame(tx, { kind: 'participant', projectId }, owners, now);
}

/**
 * Marks a partner's details as failed. They serve several projects, so the transaction belongs to
 * none. Each partner is locked, always in the same order, because it may be saving new details; an
 * erased partner is skipped.
 */
export async function blamePartners(tx: Tx, ended: readonly PayoutRow[]): Promise<void> {
  const blamed = ended.filter((payout) => isBlamed(payout) && isPartnerPayee(payout.payee));
  for (const payout of blamed.toSorted((a, b) => (a.payee < b.payee ? -1 : 1))) {
    const { payee: ownerId, createdAt: draftedAt, updatedAt } = payout;
    if (!(await holdPartner(tx, ownerId))) continue;
    const scope = { kind: 'partner', projectId: '' } as const;
    await blame(tx, scope, [{ ownerId, payout, draftedAt }], updatedAt);
  }
}

interface Blamed {
  readonly ownerId: string;
  readonly payout: PayoutRow;
  /** By the owner's clock. */
  readonly draftedAt: Instant;
}

async function blame(
  tx: Tx,
  scope: Pick<DetailsOwner, 'kind' | 'projectId'>,
  blamed: readonly Blamed[],
  now: Instant,
): Promise<void> {
  if (blamed.length === 0) return;
  const ids = [...new Set(blamed.map(({ ownerId }) => ownerId))];
  const records = await listDetails(tx, scope.projectId, scope.kind, ids);
  const byOwner = groupBy(records, ({ ownerId }) => ownerId);
  for (const one of blamed) {
    const used = pickUsed(byOwner.get(one.ownerId) ?? [], one, now);
    if (used) noteFailedDetails(tx, { owner: { ...scope, id: one.ownerId }, id: used.id }, now);
  }
}

/**
 * The record that a payout went to. It is not recorded for manual payouts: then it is the current
 * record if that was already in use at the draft. Details saved since are not to blame.
 */
function pickUsed(
  records: readonly DetailsRow[],
  { payout, draftedAt }: Blamed,
  now: Instant,
): DetailsRow | undefined {
  if (payout.method !== 'manual_export') {
    return records.find(({ id }) => id === payout.detailsId);
  }
  const used = inUse(records, now);
  return used && used.usedFrom <= draftedAt ? used : undefined;
}

/**
 * Records that a payout failed because of these details. Nothing more is paid to them until their
 * owner saves others, or the same again. Does nothing if they were replaced meanwhile.
 */
export function noteFailedDetails(
  tx: Tx,
  { owner, id }: Pick<FoundDetails, 'owner' | 'id'>,
  now: Instant,
): void {
  markFailed(tx, owner, id, now);
}
