import { verifyProject } from '../../../src/programs/verify/verify-all.ts';
import type { VirtualTime } from '../authority/virtual-time.ts';
import type { Mailbox } from '../outside/mailbox.ts';
import type { Payments } from '../outside/payments.ts';
import type { Receivers } from '../outside/receivers.ts';
import type { ServiceProcess } from '../process/service-process.ts';
import type { Actor } from '../world/actor.ts';
import { adjustmentOf } from '../world/adjustments.ts';
import type { Letters } from '../world/letters.ts';
import { FIRST_ID } from '../world/many.ts';
import type { Sightings } from '../world/sightings.ts';
import { checkAnnounced } from './check-announced.ts';
import { checkCancelled } from './check-cancelled.ts';
import { checkContract } from './check-contract.ts';
import { checkErasure } from './check-erasure.ts';
import { checkFeed } from './check-feed.ts';
import { checkHolds } from './check-holds.ts';
import { checkMails } from './check-mails.ts';
import { checkOnce } from './check-once.ts';
import { checkPartners, seePartners } from './check-partners.ts';
import { checkWaiting } from './check-waiting.ts';
import { seeCoupons } from './see-coupons.ts';
import { seeCredits } from './see-credits.ts';
import { seeGroups } from './see-groups.ts';
import { seeImports } from './see-imports.ts';
import { seeCurrencies, seeLoyalty } from './see-loyalty.ts';
import { seeSubscriptions } from './see-subscriptions.ts';
import { readAll, type Wire } from './wire.ts';

interface Judged {
  readonly actor: Actor;
  readonly receivers: Receivers;
  readonly payments: Payments;
  readonly mailbox: Mailbox;
  readonly letters: Letters;
  readonly time: VirtualTime;
  readonly process: ServiceProcess;
  readonly sightings: Sightings;
}

/** What is not as it must be in a world that has come to rest. */
export async function check({
  actor,
  receivers,
  payments,
  mailbox,
  letters,
  time,
  process,
  sightings,
}: Judged): Promise<string[]> {
  const { database } = process.service;
  const { kept } = await verifyProject(database, actor.project.projectId, () => undefined);
  const shown = await readAll(actor);
  for (const { referredBy } of shown.details.values())
    if (referredBy?.bindingEventId) await seeTouch(actor, referredBy.touchId, sightings);
  for (const { processingReason } of shown.events.values()) sightings.see(processingReason);
  for (const reward of shown.rewards) for (const name of kindsOf(reward)) sightings.see(name);
  for (const { status, method } of shown.payouts) sightings.see(`payout by ${method} ${status}`);
  for (const { type, data } of shown.feed)
    if (type.startsWith('risk.')) sightings.see(`a review was ${data.review.status}`);
  seeCredits(payments.stripe, shown, sightings);
  seeCoupons(payments.stripe, shown, sightings);
  seeGroups(actor, shown, sightings);
  seeImports(shown, sightings);
  seeLoyalty(shown, sightings);
  seeCurrencies(shown, sightings);
  seePartners(actor, shown, sightings);
  seeSubscriptions(shown, sightings);
  for (const { uses } of shown.advances)
    sightings.see(`an advance was ${uses.length > 0 ? 'used' : 'left'}`);
  if (shown.payouts.some(({ rewards }) => rewards.some(isNegative)))
    sightings.see('a payout was smaller by a debt');
  for (const { operation, answer } of actor.acknowledged) {
    if (operation.id >= FIRST_ID) sightings.see('many events were reported at once');
    if (operation.kind === 'click')
      sightings.see(`a click was ${answer.body.handle === null ? 'not ' : ''}recorded`);
    if (operation.kind === 'signup' && answer.body.identifyReason)
      sightings.see(`identify: ${answer.body.identifyReason}`);
    const { kind, lateMs = 0 } = adjustmentOf(actor.spec, operation) ?? {};
    if (kind === undefined || answer.status !== 200) continue;
    const isEarly = answer.body.purchaseId === null;
    if (lateMs > 0) sightings.see(`${kind} reported late`);
    sightings.see(`${kind} accepted${isEarly ? ' before its purchase' : ''}`);
  }
  return [
    ...kept.map((one) => `verify: ${JSON.stringify(one)}`),
    ...checkContract(actor, { receivers, payments }, shown),
    ...checkOnce(shown, actor.spec, actor.acknowledged),
    ...checkHolds(actor, shown),
    ...checkCancelled(shown),
    ...checkWaiting(actor, shown),
    ...(await checkPartners(actor)),
    ...(await checkErasure(actor, database)),
    ...checkFeed(actor, receivers, shown),
    ...(await checkAnnounced(actor, shown)),
    ...(await checkMails(actor, { mailbox, letters, time, sightings }, shown)),
  ];
}

const isNegative = ({ amountMinor }: Wire) => amountMinor.startsWith('-');

async function seeTouch({ reader }: Actor, id: string, sightings: Sightings): Promise<void> {
  const { data } = await reader.read(`/v1/touches/${id}`);
  sightings.see(`referred by a touch of ${data.source}`);
}

/** What makes a reward worth having been in a world. */
function kindsOf({ fulfillmentStatus, tier, milestone, delivery, void: voided }: Wire): string[] {
  return [
    `reward ${fulfillmentStatus}`,
    ...(tier
      ? [
          `${tier.measure} of ${tier.window} gave ${tier.from === '0' ? 'the first' : 'another'} step`,
        ]
      : []),
    ...(milestone ? [`milestone of ${milestone.measure}`] : []),
    ...(milestone?.multiple > 1 ? ['milestone reached again'] : []),
    ...(delivery.reason === 'dispute_open' ? ['a reward held for a dispute'] : []),
    ...(voided ? [`void ${voided.reasonCode}`] : []),
  ];
}
