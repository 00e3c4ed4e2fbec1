import type { UsedAdvance } from '../payouts/advances/queries.ts';
import type { PayoutAdvance } from './schema.ts';

export function toPayoutAdvance(row: UsedAdvance): PayoutAdvance {
  const { id, restoreId, environment, connectionId, method, reference, payoutId } = row;
  const { currency, currencyExponent, madeAt, status, reason, decidedBy } = row;
  return {
    id,
    restoreId,
    environment,
    connectionId,
    method,
    reference,
    payoutId,
    payee: row.payee === null ? null : toPayee(row.payee),
    account: row.label,
    currency,
    currencyExponent,
    amountMinor: String(row.amountMinor),
    leftMinor: String(row.leftMinor),
    madeAt,
    status,
    reason,
    decidedBy,
    uses: row.uses.map((use) => ({
      payoutId: use.payoutId,
      amountMinor: String(use.amountMinor),
    })),
  };
}

/** A partner's id, or `project:participant`. */
function toPayee(payee: string): NonNullable<PayoutAdvance['payee']> {
  const [projectId = '', participantId] = payee.split(':');
  return participantId === undefined
    ? { partnerId: payee, projectId: null, participantId: null }
    : { partnerId: null, projectId, participantId };
}
