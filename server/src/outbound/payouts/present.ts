import type { ParticipantKind } from '../../domain/participants/schema.ts';
import type { Party } from '../../platform/feed/render-event.ts';
import type { PartyRef } from '../../platform/feed/writer/project-write.ts';
import { formatMinor } from '../../platform/kit/money.ts';
import type { Payout, PayoutBatch } from './schema.ts';
import type { BatchRow, LineRow, PartRow } from './transfers/payout.ts';

export function toPayout(part: PartRow, lines: readonly LineRow[], party: Party): Payout {
  const { participantId, kind, externalId } = party;
  return present(part, lines, { participantId, kind: kind as ParticipantKind, externalId });
}

/** The payout in events. The payee's names are filled in when an event is read. */
export function payoutData(part: PartRow, lines: readonly LineRow[]) {
  return present(part, lines, { $party: part.participantId } satisfies PartyRef);
}

function present<B>(part: PartRow, lines: readonly LineRow[], beneficiary: B) {
  return {
    id: part.payoutId,
    batchId: part.batchId,
    status: part.status,
    method: part.method,
    currency: part.currency,
    currencyExponent: part.currencyExponent,
    amountMinor: formatMinor(part.amountMinor),
    rewards: lines.map(({ rewardId, amountMinor }) => ({
      rewardId,
      beneficiary,
      amountMinor: formatMinor(amountMinor),
    })),
    providerReference: part.providerReference,
    createdAt: part.createdAt,
    paidAt: part.paidAt,
    failureReason: part.failureReason,
    failureMessage: part.failureMessage,
  };
}

export function toBatch(batch: BatchRow): PayoutBatch {
  const { workspaceId, environment, projectIds, totals, ...shown } = batch;
  return { ...shown, projectIds: [...projectIds], totals: [...totals] };
}
