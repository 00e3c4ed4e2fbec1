import type { PinnedVerdict } from '../../risk/decide/risk-facts.ts';
import type { ExplainedRule, TrackedEvent } from '../batch/facts.ts';
import { type Ledger, type LedgerView, purchaseOf } from '../batch/ledger.ts';
import type { CreditReason, Referral } from '../event-schema.ts';
import { attributionData, eventData } from '../read/present-event.ts';
import { catchUp } from './apply-adjustment.ts';
import { type Credit, findCredit } from './find-credit.ts';
import {
  addedBy,
  announceEarned,
  grantLoyaltyRewards,
  grantReferralRewards,
} from './grant-rewards.ts';
import { explain, judgeReferral } from './judge-referral.ts';
import { settleMilestones } from './settle-milestones.ts';

/** What an Event is credited to, and why. */
interface Verdict {
  readonly reason: CreditReason;
  readonly referral: Referral | null;
}

/** A purchase uses the existing referral; it never creates one. */
export function decidePurchase(ledger: Ledger, event: TrackedEvent): TrackedEvent {
  const { view } = ledger;
  const purchase = purchaseOf(view, event);
  if (purchase?.duplicateOf) {
    const verdict: Verdict = { reason: 'duplicate_invoice', referral: null };
    const decided = settle(event, verdict, []);
    announce(ledger, decided, verdict);
    return decided;
  }
  const credit = findCredit(view, event);
  const { referral } = credit;
  const verdict: Verdict = { reason: purchaseReason(view, event, credit), referral };
  announce(ledger, event, verdict);
  ledger.addCustomer(event.participantId, purchase);
  if (referral) ledger.addCredit(referral, event, purchase);
  // The loyalty rules of a purchase that waited ran when it arrived.
  const before = event.explanation?.rules;
  const loyalty = before ? earnRestored(ledger, event, before) : earnAtReceipt(ledger, event);
  const granted = referral ? grantReferralRewards(ledger, event, referral) : [];
  const risk = referral && judgeReferral(ledger, event, { referral, rules: granted, isNew: false });
  announceGranted(ledger, event, granted);
  return settle(event, verdict, loyalty.length === 0 ? granted : [...granted, ...loyalty], risk);
}

/** Loyalty needs no referral, so it does not wait for one. */
export function earnAtReceipt(ledger: Ledger, event: TrackedEvent): ExplainedRule[] {
  const granted = grantLoyaltyRewards(ledger, event);
  announceGranted(ledger, event, granted);
  return granted;
}

/**
 * Rewards that loyalty did not give on arrival because everything was refunded by then, but may
 * have been restored since.
 */
function earnRestored(
  ledger: Ledger,
  event: TrackedEvent,
  before: readonly ExplainedRule[],
): readonly ExplainedRule[] {
  const skipped = before.filter(({ reason }) => reason === 'zero_amount');
  if (skipped.length === 0) return before;
  const ruleIds = new Set(skipped.map(({ ruleId }) => ruleId));
  const granted = grantLoyaltyRewards(ledger, event, { ruleIds, added: addedBy(null) });
  announceGranted(ledger, event, granted);
  const verdicts = new Map(granted.map((rule) => [rule.ruleId, rule]));
  return before.map((rule) => verdicts.get(rule.ruleId) ?? rule);
}

/** Part of the purchase may have been refunded or disputed before it was decided: its Rewards are adjusted first. */
function announceGranted(
  ledger: Ledger,
  event: TrackedEvent,
  granted: readonly ExplainedRule[],
): void {
  const purchase = purchaseOf(ledger.view, event);
  if (purchase) {
    if (ledger.view.adjustmentsOf.has(purchase.id)) {
      catchUp(ledger, purchase, new Set(granted.flatMap(({ rewardId }) => rewardId ?? [])));
    }
    settleMilestones(ledger, purchase.id);
  }
  announceEarned(ledger, granted);
}

function purchaseReason(
  view: LedgerView,
  { participantId }: TrackedEvent,
  { referral, isSelf }: Credit,
): CreditReason {
  if (referral) return 'attributed';
  if (isSelf) return 'self_referral';
  return view.signups.has(participantId) ? 'no_referral' : 'no_signup';
}

/** A custom fact of the caller: its rules use the existing referral, and nothing waits. */
export function decideCustom(ledger: Ledger, event: TrackedEvent): TrackedEvent {
  ledger.announce('event.recorded', () => eventData(event, null, null));
  const { referral } = findCredit(ledger.view, event);
  const granted = referral ? grantReferralRewards(ledger, event, referral) : [];
  const risk = referral && judgeReferral(ledger, event, { referral, rules: granted, isNew: false });
  const rules = [...granted, ...grantLoyaltyRewards(ledger, event)];
  announceEarned(ledger, rules);
  return settle(event, { reason: 'not_applicable', referral }, rules, risk);
}

function announce(ledger: Ledger, event: TrackedEvent, { reason, referral }: Verdict): void {
  const purchase = purchaseOf(ledger.view, event);
  ledger.announce('event.recorded', () =>
    eventData(event, purchase, attributionData(reason, referral)),
  );
}

function settle(
  event: TrackedEvent,
  { reason, referral }: Verdict,
  rules: readonly ExplainedRule[],
  risk: PinnedVerdict | null = null,
): TrackedEvent {
  return {
    ...event,
    programId: referral?.programId ?? null,
    referralId: referral?.id ?? null,
    processingState: 'processed',
    processingReason: reason,
    attemptCount: event.attemptCount + 1,
    nextAttemptAt: null,
    explanation: explain(event.explanation?.candidates ?? [], rules, risk),
  };
}
