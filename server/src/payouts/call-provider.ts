import { randomUUID } from 'node:crypto';
import { addMs, MINUTE_MS } from '../kit/instant.ts';
import { createLimit } from '../kit/limit.ts';
import { applyOutcomes } from './apply-outcomes.ts';
import { decideCall, isAboutTransfer } from './decide-call.ts';
import type { Details } from './details.ts';
import { canPayTo } from './methods.ts';
import { listPayees } from './part-store.ts';
import type { PayoutRow } from './payout.ts';
import { type PayoutDeps, realNow } from './payout-deps.ts';
import {
  claimPayouts,
  findPayout,
  lockPayouts,
  updateDueCall,
  updateSent,
  updateStandings,
} from './payout-store.ts';
import type { FindAnswer, PayoutProvider, SubmitAnswer } from './provider.ts';

/** How long a payout is this process's alone. If it dies, the payout is due again after that. */
const LEASE_MS = 5 * MINUTE_MS;
const CLAIMS_MAX = 50;
const CALLS_MAX = 8;

/** What the provider knows a transfer by. */
export function keyOf({ id, attempt }: Pick<PayoutRow, 'id' | 'attempt'>): string {
  return `${id}_${attempt}`;
}

/**
 * Makes the calls to providers that are due, and writes down what they answer; returns how many.
 * Any number of processes may run it. No call is made within a transaction: that an order goes out
 * is committed ahead, so that after a crash the provider is asked before it is told again.
 */
export async function callProviders(
  deps: PayoutDeps,
  onFailure: (error: unknown) => void,
): Promise<number> {
  const methods = deps.providers.map(({ method }) => method);
  if (methods.length === 0) return 0;
  const now = realNow(deps);
  const leaseId = randomUUID();
  const claimed = await deps.database.transaction((tx) =>
    claimPayouts(tx, {
      methods,
      now,
      leaseId,
      leasedUntil: addMs(now, LEASE_MS),
      limit: CLAIMS_MAX,
    }),
  );
  const limit = createLimit(CALLS_MAX);
  await Promise.all(
    claimed.map((payout) => limit(() => serve(deps, payout, leaseId).catch(onFailure))),
  );
  return claimed.length;
}

async function serve(deps: PayoutDeps, payout: PayoutRow, leaseId: string): Promise<void> {
  const provider = deps.providers.find(({ method }) => method === payout.method);
  if (!provider) throw new Error(`Nobody pays by ${payout.method}.`);
  const answer = payout.isSent
    ? await ask(provider, payout)
    : await order(deps, provider, payout, leaseId);
  if (!answer) return;
  await settlePayout(deps, payout.id, answer, leaseId);
}

/** Null if somebody else has taken it over. */
async function order(
  deps: PayoutDeps,
  provider: PayoutProvider,
  payout: PayoutRow,
  leaseId: string,
): Promise<SubmitAnswer | null> {
  const details = await openDetails(deps, payout);
  if (!details) {
    return {
      state: 'failed',
      reference: null,
      failureReason: 'invalid_details',
      failureMessage: 'The payee has no payout details of this kind any more.',
    };
  }
  const isOurs = await deps.database.transaction((tx) => updateSent(tx, payout.id, leaseId));
  if (!isOurs) return null;
  const { id, workspaceId, amountMinor, currency, currencyExponent } = payout;
  return answered(() =>
    provider.submit({
      payoutId: id,
      workspaceId,
      key: keyOf(payout),
      amountMinor,
      currency,
      currencyExponent,
      details,
    }),
  );
}

function ask(provider: PayoutProvider, payout: PayoutRow): Promise<FindAnswer> {
  const { id, workspaceId, providerReference } = payout;
  return answered(() =>
    provider.find({
      payoutId: id,
      workspaceId,
      key: keyOf(payout),
      reference: providerReference,
    }),
  );
}

/** Whatever went wrong, nobody can say what the provider did. */
async function answered<A>(call: () => Promise<A>): Promise<A | { state: 'unknown' }> {
  try {
    return await call();
  } catch {
    return { state: 'unknown' };
  }
}

async function openDetails(deps: PayoutDeps, payout: PayoutRow): Promise<Details | null> {
  for (const projectId of payout.projectIds) {
    const [payee] = await listPayees(deps.database.reads, projectId, [payout.id]);
    if (!payee) continue;
    const found = await deps.findDetails(projectId, [payee.participantId]);
    const details = found.get(payee.participantId);
    if (details && canPayTo(payout.method, details.type)) return details.open();
  }
  return null;
}

/**
 * Writes down what a provider says of a transfer and tells its Projects. The same again, or late,
 * changes nothing. `leaseId` is of whoever asked, null for what the provider tells by itself:
 * without the lease only what is said of a transfer counts, since somebody else may be ordering.
 */
export async function settlePayout(
  deps: Pick<PayoutDeps, 'writer' | 'database' | 'newId' | 'clock'>,
  payoutId: string,
  answer: SubmitAnswer | FindAnswer,
  leaseId: string | null,
): Promise<void> {
  const now = realNow(deps);
  await deps.database.transaction(async (tx) => {
    const [payout] = await lockPayouts(tx, [payoutId]);
    if (!payout) return;
    const isOurs = leaseId !== null && payout.leaseId === leaseId;
    if (!isOurs && !isAboutTransfer(answer)) return;
    const { standing, next } = decideCall(payout, answer, now);
    if (standing) updateStandings(tx, [{ id: payoutId, ...standing }], now);
    if (standing || isOurs) {
      const providerReference = standing?.providerReference ?? next.providerReference;
      updateDueCall(tx, { id: payoutId, ...next, providerReference }, now);
    }
  });
  const payout = await findPayout(deps.database.reads, payoutId);
  if (payout && !payout.isApplied) await applyOutcomes(deps, [payout]);
}
