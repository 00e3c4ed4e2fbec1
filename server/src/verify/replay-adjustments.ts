import { type Balance, decideAdjustment, type Undone } from '../tracking/decide-adjustment.ts';
import type { AuditedPurchase } from './fact-store.ts';
import { type Difference, difference, differencesOf } from './finding.ts';

/** Decides every refund, dispute and restoration of a purchase again, in order (D-ADJ-1). */
export function replayAdjustments(purchase: AuditedPurchase): Difference[] {
  const found: Difference[] = [];
  const given = new Map<string, Undone & { restoredMinor: bigint }>();
  let balance: Balance = {
    amountMinor: purchase.amountMinor,
    refundedMinor: 0n,
    disputedMinor: 0n,
  };
  for (const one of purchase.adjustments ?? []) {
    const amountMinor = BigInt(one.amountMinor);
    const undone = one.restoresId === null ? null : given.get(one.restoresId);
    const decision =
      undone === undefined ? null : decideAdjustment(balance, one.kind, amountMinor, undone);
    if (decision === null || 'refused' in decision) {
      const expected = decision === null ? 'the id of an earlier one' : 'less';
      const [field, stored] =
        decision === null ? ['restoresId', one.restoresId] : ['amountMinor', amountMinor];
      found.push(difference('purchase adjustment', one.id, field, stored, expected));
      continue;
    }
    const { appliedMinor, refundedMinor, disputedMinor } = decision;
    found.push(
      ...differencesOf('purchase adjustment', one.id, one, {
        appliedMinor,
        refundedTotalMinor: refundedMinor,
        disputedTotalMinor: disputedMinor,
      }),
    );
    balance = { ...balance, refundedMinor, disputedMinor };
    if (undone) undone.restoredMinor += amountMinor;
    else given.set(one.id, { kind: one.kind, amountMinor, appliedMinor, restoredMinor: 0n });
  }
  for (const one of purchase.adjustments ?? []) {
    const restoredMinor = given.get(one.id)?.restoredMinor ?? 0n;
    found.push(...differencesOf('purchase adjustment', one.id, one, { restoredMinor }));
  }
  const { refundedMinor, disputedMinor } = balance;
  const totals = differencesOf('purchase', purchase.id, purchase, { refundedMinor, disputedMinor });
  return [...found, ...totals];
}
