import type { Expected } from '../model/contract.ts';
import type { Booked } from '../outside/books.ts';
import type { Payments } from '../outside/payments.ts';
import type { Receivers } from '../outside/receivers.ts';
import { accountOf, emailOf } from '../world/accounts.ts';
import type { Actor } from '../world/actor.ts';
import { nameOf, partiesOf } from '../world/names.ts';
import type { Shown, Wire } from './wire.ts';

export interface Outside {
  readonly receivers: Receivers;
  readonly payments: Payments;
}

/** After so many refusals a payout fails. */
const ATTEMPTS_MAX = 12;

const hasArrived = (one: Booked): boolean => one.hasArrived;
const minorOf = (one: Booked): bigint => one.amountMinor;

/** Everybody was paid what they are owed, once, and the books of the provider say the same. */
export function checkPayouts(
  actor: Actor,
  payments: Payments,
  shown: Shown,
  expected: Expected,
): string[] {
  const { rewards, mostOwed } = expected;
  const findings: string[] = [];
  findings.push(
    ...compareBooks(shown, payments),
    ...checkAccounts(actor, payments, shown, mostOwed),
  );
  const paid = sumLines(shown);
  for (const reward of shown.rewards) {
    const name = shown.nameOf(reward);
    const is = paid.get(reward.id) ?? 0n;
    const must = rewards.get(name)?.paidMinor;
    if (is !== must) findings.push(`payouts have paid ${is} for ${name}, and must have ${must}`);
  }
  const statuses = new Set(['paid', 'failed', 'returned', 'cancelled']);
  const open = shown.payouts.filter(({ status }) => !statuses.has(status));
  for (const { id, status } of open) findings.push(`${id} is ${status} for ever`);
  for (const [person, left] of listUnpaid(shown, expected))
    if (actor.payable.has(person)) findings.push(`${person} is owed ${left}, and was not paid it`);
  return findings;
}

/** By reward, what payouts have paid that have not come back. */
function sumLines({ payouts }: Shown): Map<string, bigint> {
  const paid = new Map<string, bigint>();
  for (const { status, rewards } of payouts) {
    if (status !== 'paid') continue;
    for (const { rewardId, amountMinor } of rewards)
      paid.set(rewardId, (paid.get(rewardId) ?? 0n) + BigInt(amountMinor));
  }
  return paid;
}

/** Each payout of the provider is paid by one transfer, less what was sent before, and everything else by none. */
function compareBooks({ payouts, advances }: Shown, payments: Payments): string[] {
  const findings: string[] = [];
  const known = new Set<unknown>();
  const uses: Wire[] = advances.flatMap((one) => one.uses);
  const { transfers } = payments;
  for (const { id, method, status, amountMinor } of payouts) {
    if (method === 'manual_export') continue;
    const marks = Array.from({ length: ATTEMPTS_MAX }, (_, at) =>
      payments.markOf(method, `${id}_${at}`),
    );
    const made = transfers.filter((one) => one.method === method && marks.includes(one.mark));
    const sentBefore = uses.filter(({ payoutId }) => payoutId === id);
    const left = BigInt(amountMinor) - sumOf(sentBefore);
    const unknown = made.filter((one) => !isAdvance(advances, one));
    for (const one of made) known.add(one);
    const sent = unknown.filter(hasArrived).map(minorOf).join(' and ');
    const must = status === 'paid' && left > 0n ? String(left) : '';
    if (sent !== must)
      findings.push(
        `${id} is ${status} by ${amountMinor}, ${method} sent ${sent}, and must ${must}`,
      );
  }
  for (const [at, one] of transfers.entries()) {
    if (one.taken > 1)
      findings.push(`transfer ${one.reference} took its amount ${one.taken} times`);
    if (!hasArrived(one) || known.has(one) || isAdvance(advances, one)) continue;
    const isLost = at < payments.forgotten;
    findings.push(
      `nobody has ordered transfer ${one.reference}${isLost ? ', or it is forgotten' : ''}`,
    );
  }
  return findings;
}

const isAdvance = (advances: readonly Wire[], { reference }: Booked) =>
  advances.some((one) => one.reference === reference);

const sumOf = (rows: readonly Wire[]): bigint =>
  rows.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n);

/** Nobody has got the money of somebody else, less than the books say, or more than they were ever owed. */
function checkAccounts(
  { spec }: Actor,
  payments: Payments,
  shown: Shown,
  mostOwed: Expected['mostOwed'],
): string[] {
  const owners = new Map<string, string>();
  for (let person = 0; person < partiesOf(spec); person += 1)
    for (const account of [0, 1])
      for (const place of [accountOf(person, account), emailOf(person, account)])
        owners.set(place, nameOf(person));
  // By Stripe Connect, the books name them by their ids.
  for (const [id, name] of shown.people) owners.set(id, name);
  const findings: string[] = [];
  const arrived = payments.transfers.filter(hasArrived);
  const ownerOf = ({ account }: Booked) => owners.get(account) ?? 'nobody';
  const later = new Set(
    payments.transfers.slice(payments.forgotten).filter(hasArrived).map(ownerOf),
  );
  for (const person of new Set([...owners.values(), ...arrived.map(ownerOf)])) {
    const sum = (minors: readonly bigint[]) => minors.reduce((a, b) => a + b, 0n);
    const got = sum(arrived.filter((one) => ownerOf(one) === person).map(minorOf));
    const paid = shown.payouts
      .filter(({ method, status }) => method !== 'manual_export' && status === 'paid')
      .flatMap(({ rewards }) => rewards as Wire[])
      .filter(({ beneficiary }) => shown.people.get(beneficiary.participantId) === person);
    const isRight = payments.forgotten > 0 ? got >= sumOf(paid) : got === sumOf(paid);
    if (!isRight) findings.push(`the accounts of ${person} got ${got}, and not ${sumOf(paid)}`);
    const most = mostOwed.get(person) ?? 0n;
    // Before the store was lost, somebody may have been owed more than by the facts that came again.
    if (got > most && later.has(person))
      findings.push(`${person} got ${got}, and was never owed more than ${most}`);
  }
  return findings;
}

/** What people are owed by the rewards that the service pays itself; only what is positive is paid. */
function listUnpaid(shown: Shown, { rewards, referrals }: Expected): [string, bigint][] {
  const owed = new Map<string, bigint>();
  for (const reward of shown.rewards as Wire[]) {
    const one = rewards.get(shown.nameOf(reward));
    if (!one || reward.delivery.method !== 'payout') continue;
    const isHeld = referrals.get(one.referee)?.review === 'open';
    if (isHeld && one.owedMinor > one.paidMinor) continue;
    const before = owed.get(one.beneficiary) ?? 0n;
    owed.set(one.beneficiary, before + one.owedMinor - one.paidMinor);
  }
  return [...owed].filter(([, minor]) => minor > 0n);
}
