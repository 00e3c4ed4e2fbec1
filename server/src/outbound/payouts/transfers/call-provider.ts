import { randomUUID } from 'node:crypto';
import { findParticipant } from '../../../domain/participants/queries.ts';
import { findPartnerName } from '../../../domain/partners/queries.ts';
import { addMs, type Instant, MINUTE_MS } from '../../../platform/kit/instant.ts';
import { findCoverReference } from '../advances/advance-store.ts';
import { isPartnerPayee } from '../batches/group-payees.ts';
import { listPayees } from '../batches/part-store.ts';
import { isPayable, type PayeeDetails } from '../details/payee-details.ts';
import { type PayoutDeps, realNow } from '../payout-deps.ts';
import type { FindAnswer, PayoutProvider, SubmitAnswer, TransferRef } from '../provider.ts';
import { applyOutcomes } from './apply-outcomes.ts';
import { decideCall } from './decide-call.ts';
import { isCovered, type PayoutRow, transferMinorOf } from './payout.ts';
import {
  claimPayouts,
  findPayout,
  lockPayouts,
  updateDueCall,
  updateSent,
  updateStandings,
} from './payout-store.ts';

/** How long this process owns a payout. If the process dies, the payout is due again after that. */
const LEASE_MS = 5 * MINUTE_MS;
/** Only as many are claimed as are called at once: a waiting payout would lose its lease. */
const CALLS_MAX = 8;

/** The provider's idempotency key of a transfer. */
function keyOf({ id, attempt }: Pick<PayoutRow, 'id' | 'attempt'>): string {
  return `${id}_${attempt}`;
}

/**
 * Makes the due calls to providers and saves the answers; returns the count. Any number of
 * processes may run it. No call is made inside a transaction: an order is committed as sent before
 * the call, so that after a crash the provider is asked before anything is ordered again.
 */
export async function callProviders(
  deps: PayoutDeps,
  onFailure: (error: unknown) => void,
): Promise<number> {
  const now = realNow(deps);
  const leaseId = randomUUID();
  const claim = { now, leaseId, leasedUntil: addMs(now, LEASE_MS), limit: CALLS_MAX };
  const claimed = await deps.database.transaction((tx) => claimPayouts(tx, claim));
  const serve = async (payout: PayoutRow) => {
    if (isCovered(payout)) {
      const reference = await findCoverReference(deps.database.reads, payout.id);
      return settle(deps, payout, { state: 'paid', reference }, leaseId);
    }
    const provider = await deps.findProvider(payout);
    const answer = await call(deps, provider, { payout, leaseId }, onFailure);
    if (answer) await settle(deps, payout, answer, leaseId);
  };
  await Promise.all(claimed.map((payout) => serve(payout).catch(onFailure)));
  return claimed.length;
}

interface Leased {
  readonly payout: PayoutRow;
  readonly leaseId: string;
}

type Report = (cause: unknown, what?: string) => void;

/** Null if another process has taken it over. */
async function call(
  deps: PayoutDeps,
  provider: PayoutProvider | null,
  leased: Leased,
  onFailure: (error: unknown) => void,
): Promise<SubmitAnswer | FindAnswer | null> {
  const { payout } = leased;
  const reported = report(payout, onFailure);
  const { sentAt } = payout;
  // Another account does not know the order and must not receive it.
  const canSay = provider && (sentAt === null || payout.connectionId === provider.connectionId);
  if (!canSay) return { state: 'unknown' };
  return payout.isSent && sentAt !== null
    ? answered(() => provider.find(refOf(payout, sentAt)), reported)
    : order(deps, provider, leased, reported);
}

export function refOf(payout: PayoutRow, sentAt: Instant): TransferRef {
  return {
    payoutId: payout.id,
    key: keyOf(payout),
    sentAt,
    reference: payout.providerReference,
    failureCode: payout.failureCode,
  };
}

/** Null if another process has taken it over. */
async function order(
  deps: PayoutDeps,
  provider: PayoutProvider,
  { payout, leaseId }: Leased,
  reported: Report,
): Promise<SubmitAnswer | null> {
  const found = await findUsable(deps, payout);
  // A transfer that may be under way is not cancelled by this; it continues.
  if (!found && payout.sentAt === null) {
    return {
      state: 'failed',
      reference: null,
      failureReason: 'invalid_details',
      failureMessage: 'The payee no longer has payout details of this type.',
    };
  }
  const now = realNow(deps);
  const sending = {
    now,
    leasedUntil: addMs(now, LEASE_MS),
    connectionId: provider.connectionId,
    detailsId: found?.details.id ?? null,
  };
  const went = await deps.database.transaction(async (tx) => {
    if (!(await deps.holdConnection(tx, sending.connectionId))) return 'disconnected';
    return (await updateSent(tx, payout.id, leaseId, sending)) ? 'ours' : 'theirs';
  });
  if (went === 'theirs') return null;
  if (went === 'disconnected') return { state: 'unknown' };
  const { id: payoutId, sentAt, currency, currencyExponent } = payout;
  const amountMinor = transferMinorOf(payout);
  const submit = () => {
    const details = found?.details.open() ?? null;
    const payee = { details, payeeName: found?.payeeName ?? null };
    const amount = { amountMinor, currency, currencyExponent };
    return provider.submit({ payoutId, key: keyOf(payout), sentAt, ...amount, ...payee });
  };
  const answer: SubmitAnswer = await answered(async () => submit(), reported);
  if (answer.problem !== undefined) reported(answer.problem, `counts as ${answer.state}`);
  return answer;
}

/** After an exception the result of the call is unknown. */
async function answered<A>(
  call: () => Promise<A>,
  reported: Report,
): Promise<A | { state: 'unknown' }> {
  try {
    return await call();
  } catch (error) {
    reported(error);
    return { state: 'unknown' };
  }
}

/** Names the transfer of the call; the cause has the stack. */
function report(payout: PayoutRow, onFailure: (error: unknown) => void): Report {
  return (cause, what = 'no answer') =>
    onFailure(new Error(`Transfer ${keyOf(payout)} by ${payout.method}: ${what}.`, { cause }));
}

async function findUsable(
  deps: PayoutDeps,
  payout: PayoutRow,
): Promise<{ readonly details: PayeeDetails; readonly payeeName: string | null } | null> {
  const { reads } = deps.database;
  for (const projectId of payout.projectIds) {
    const [payee] = await listPayees(reads, projectId, [payout.id]);
    if (!payee) continue;
    const found = await deps.findDetails(projectId, [payee.participantId]);
    const details = found.get(payee.participantId);
    if (!details || !isPayable(payout.method, details)) continue;
    const payeeName = isPartnerPayee(payout.payee)
      ? await findPartnerName(reads, payout.payee)
      : ((await findParticipant(reads, projectId, payee.participantId))?.name ?? null);
    return { details, payeeName };
  }
  return null;
}

/**
 * Saves a provider's answer about a transfer and applies it to its projects. Changes nothing if the
 * lease was lost: another process may have ordered since, and will ask.
 */
async function settle(
  deps: PayoutDeps,
  asked: PayoutRow,
  answer: SubmitAnswer | FindAnswer,
  leaseId: string,
): Promise<void> {
  const payoutId = asked.id;
  const now = realNow(deps);
  await deps.database.transaction(async (tx) => {
    const [payout] = await lockPayouts(tx, [payoutId]);
    if (payout?.leaseId !== leaseId) return;
    const { standing, next } = decideCall(payout, answer, now);
    if (standing) updateStandings(tx, [{ id: payoutId, ...standing }], now);
    const providerReference = standing?.providerReference ?? next.providerReference;
    // A failure code that arrived by webhook meanwhile was not part of the question.
    const isNews = next.failureCode !== null && next.failureCode !== asked.failureCode;
    const dueAt = isNews ? now : next.dueAt;
    updateDueCall(tx, { id: payoutId, ...next, providerReference, dueAt }, now);
  });
  const payout = await findPayout(deps.database.reads, payoutId);
  if (payout && !payout.isApplied) await applyOutcomes(deps, [payout]);
}
