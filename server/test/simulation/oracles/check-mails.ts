import type { VirtualTime } from '../authority/virtual-time.ts';
import type { Arrived, Mailbox } from '../outside/mailbox.ts';
import type { Actor } from '../world/actor.ts';
import type { Letters } from '../world/letters.ts';
import { addressOf, nameOf } from '../world/names.ts';
import type { Sightings } from '../world/sightings.ts';
import type { Shown, Wire } from './wire.ts';

const DAY_MS = 86_400_000;
/** A mail that was being sent by then may still arrive: its process may have been frozen. */
const UNDER_WAY_MS = 5 * 60_000;
/** So long at most a server that falls silent keeps the worker from the feed, in time that machines are awake. */
export const READ_MS = 2 * 60_000;
/** Mails are deleted a day later. */
const KEPT_MS = 89 * DAY_MS;
/** A server that is busy is tried as often. */
const TRIES_MIN = 10;

interface Sent {
  readonly mailbox: Mailbox;
  readonly letters: Letters;
  readonly time: VirtualTime;
  readonly sightings: Sightings;
}

/** Every mail that was due has gone, once, and none to those who want none. */
export async function checkMails(actor: Actor, sent: Sent, shown: Shown): Promise<string[]> {
  if (!actor.spec.mail) return [];
  const { mailbox, sightings } = sent;
  const mails: Wire[] = await actor.reader.list('/v1/mails?limit=100');
  for (const { state } of mails) sightings.see(`mail ${state}`);
  return [
    ...mails.flatMap((mail) => judgeMail(mail, mailbox.arrived)),
    ...findTwice(mails, mailbox.arrived),
    ...findMissing(mails, actor, sent, shown),
    ...findUnwanted(mails, sent, shown),
  ];
}

/** "At most once, not exactly once": what may have been taken is never sent again. */
function judgeMail(
  { id, kind, state, reason, tries }: Wire,
  arrived: readonly Arrived[],
): string[] {
  const times = arrived.filter((one) => one.id === id).length;
  if (state === 'waiting' || state === 'sending') return [`${kind} ${id} is ${state} for ever`];
  if (reason === 'attempts_exhausted' && tries < TRIES_MIN)
    return [`${kind} ${id} was given up after ${tries} attempts`];
  if (state === 'sent' && times !== 1)
    return [`${kind} ${id} was sent, and arrived ${times} times`];
  const isOpen = state === 'unknown';
  return times > (isOpen ? 1 : 0) && state !== 'sent'
    ? [`${kind} ${id} is ${state}, and arrived ${times} times`]
    : [];
}

/** One mail for a kind, a fact and a recipient; and of those that the service has forgotten, one each. */
function findTwice(mails: readonly Wire[], arrived: readonly Arrived[]): string[] {
  const facts = new Map<string, string>();
  const ids = new Set<string>();
  const findings: string[] = [];
  for (const { id, kind, factId, recipientId } of mails) {
    const fact = `${kind} of ${factId} to ${recipientId}`;
    if (facts.has(fact)) findings.push(`${fact} is there as ${facts.get(fact)} and ${id}`);
    facts.set(fact, id);
  }
  for (const { id } of arrived) {
    if (ids.has(id)) findings.push(`mail ${id} arrived twice`);
    ids.add(id);
  }
  return findings;
}

/** What the feed says that people want to know. Facts that were read a day later are not mailed. */
function findMissing(mails: readonly Wire[], actor: Actor, sent: Sent, shown: Shown): string[] {
  const there = new Set(mails.map(({ kind, factId }) => `${kind} of ${factId}`));
  const erased = new Set(actor.erased.values());
  return shown.feed.flatMap((event) => {
    const fact = factOf(event);
    if (!fact || erased.has(fact.to) || there.has(fact.name)) return [];
    const atMs = Date.parse(event.occurredAt);
    if (sent.time.nowMs - atMs > KEPT_MS) return [];
    const awakeMs = (jump: { readonly atMs: number }) =>
      sent.time.awakeAt(jump.atMs) - sent.time.awakeAt(atMs);
    const isOld = sent.time.jumps.some(
      (jump) => jump.ms > DAY_MS / 2 && jump.atMs >= atMs && awakeMs(jump) < READ_MS,
    );
    return isOld ? [] : [`nobody was mailed ${fact.name}`];
  });
}

function factOf({ type, data }: Wire): { readonly name: string; readonly to: string } | null {
  const { referral, reward, payout } = data;
  if (type === 'referral.created')
    return { name: `friend_joined of ${referral.id}`, to: referral.referrer.participantId };
  if (type === 'payout.paid' && BigInt(payout.amountMinor) > 0n)
    return {
      name: `reward_paid of ${payout.id}`,
      to: payout.rewards[0].beneficiary.participantId,
    };
  const isOfReward = type === 'reward.earned' || type === 'reward.fulfilled';
  if (!isOfReward || reward.money?.netAmountMinor === '0') return null;
  const to = reward.beneficiary.participantId;
  if (type === 'reward.earned') return { name: `reward_earned of ${reward.id}`, to };
  // Cash is mailed by payout.
  return reward.delivery.method === 'payout' ? null : { name: `reward_paid of ${reward.id}`, to };
}

/** To somebody who was erased, or who has unsubscribed of its kind. */
function findUnwanted(mails: readonly Wire[], sent: Sent, shown: Shown): string[] {
  const { mailbox, letters, time } = sent;
  const kinds = new Map(mails.map(({ id, kind }) => [id, kind]));
  const isAfter = (atMs: number, sinceMs: number) =>
    time.awakeAt(atMs) > time.awakeAt(sinceMs) + UNDER_WAY_MS;
  const stops = letters.stopped.map(({ mailId, atMs }) => ({
    to: mailbox.arrived.find(({ id }) => id === mailId)?.to,
    kind: kinds.get(mailId),
    atMs,
  }));
  const gone = new Map<string, number>();
  for (const [name, { participant }] of shown.details)
    if (participant.deletedAt)
      gone.set(
        addressOf(Number(name.slice(nameOf(0).length - 1))),
        Date.parse(participant.deletedAt),
      );
  return mailbox.arrived.flatMap(({ id, to, atMs }) => {
    const goneMs = gone.get(to);
    if (goneMs !== undefined && isAfter(atMs, goneMs)) return [`${to} got ${id} after the erasure`];
    const kind = kinds.get(id);
    const isStopped = stops.some(
      (one) => one.to === to && kind !== undefined && one.kind === kind && isAfter(atMs, one.atMs),
    );
    return isStopped ? [`${to} got ${kind} ${id}, and had unsubscribed`] : [];
  });
}
