import type { Tx } from '../../../platform/db/database.ts';
import type { ConfigPart } from '../../../platform/feed/writer/config-cache.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { loadDays, loadFigures } from '../../../platform/figures/figures.ts';
import { addToTally } from '../../../platform/figures/tally.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import { addMs, DAY_MS } from '../../../platform/kit/instant.ts';
import type { Handle } from '../../attribution/decide-identify.ts';
import { loadIdentities } from '../../attribution/identities.ts';
import { findNamedCodes, listEnrollmentsOf } from '../../participants/names/queries.ts';
import { refKey } from '../../participants/participant-slice.ts';
import { listPeople } from '../../participants/queries.ts';
import type { ParticipantRef } from '../../participants/schema.ts';
import { loadParticipants } from '../../participants/write-participants.ts';
import { PROGRAM_BOOK } from '../../programs/load-book.ts';
import {
  type BookedProgram,
  longestWindow,
  type ProgramBook,
} from '../../programs/program-book.ts';
import { listMilestones, loadRewardsOfPurchases } from '../../rewards/change/save-rewards.ts';
import { earnsForMonths } from '../../rewards/decide/earn-rewards.ts';
import { MULTIPLES_MAX } from '../../rewards/decide/measured-benefit.ts';
import { RISK_BOOK } from '../../risk/lists/risk-lists.ts';
import { outsideKey } from '../decide/customers.ts';
import { monthOf, nameCampaign } from '../decide/decide-campaign.ts';
import type { Referral } from '../event-schema.ts';
import { invoiceKey, sourceKey } from '../intake/normalize-event.ts';
import { listSources } from '../queries.ts';
import { loadCircle, loadOwnersRisk, type RiskSources, toRiskSlice } from '../risk/load-risk.ts';
import type { Source } from '../schema.ts';
import {
  listCampaigns,
  listCustomers,
  listDecided,
  listDecidedEvents,
  listFiguresOfOwners,
  listFirstEarnings,
  listInvoiced,
  listOccurredAt,
  listPromisedSignups,
  listReferralsOfEvents,
  listReferralsOfPeople,
  listSignups,
  listSourceKeys,
  listTouches,
  listWaitingEvents,
  listWaitingPurchases,
} from '../store.ts';
import {
  listAdjustmentsOf,
  listAdjustmentsOfWaiting,
  listPurchasesByKey,
} from './adjustment-store.ts';
import { campaignsOf } from './campaign-figures.ts';
import { listCreators, listCreatorsByRef, listWaitingParties } from './creator-store.ts';
import { listEarly } from './early-store.ts';
import { earningKey, keepReward } from './earnings.ts';
import type { LedgerState, PurchaseCredit, Touch } from './facts.ts';
import { askedMilestones, dayRanges, hasMilestones } from './measure-needs.ts';
import type { BatchNeeds } from './needs.ts';
import { listCodeTouches, listCustomersOutside, listStarts } from './subscription-store.ts';

const SOURCES: ConfigPart<ReadonlyMap<string, Source>> = {
  load: async (tx, projectId) =>
    new Map((await listSources(tx, projectId)).map((source) => [source.id, source])),
};

/** What commands name: everything that can be queried without knowing anything else, so together with the lock. */
export async function askForNamed(
  tx: Tx,
  sources: RiskSources,
  projectId: string,
  needs: BatchNeeds,
) {
  const { keyring } = sources;
  const { adjustments, names } = needs;
  const [
    participants,
    keys,
    codes,
    ownerFigures,
    ownersRisk,
    identities,
    byKey,
    invoiced,
    early,
    ...creators
  ] = await Promise.all([
    loadParticipants(tx, keyring, projectId, { refs: needs.refs }),
    unlessNone(needs.keys, (some) => listSourceKeys(tx, projectId, some)),
    findNamedCodes(tx, projectId, names),
    unlessNone(names, (some) => listFiguresOfOwners(tx, projectId, some)),
    loadOwnersRisk({ tx, projectId }, sources, names),
    loadIdentities(tx, keyring, projectId, { handles: needs.handles, keys: [] }),
    unlessNone(adjustments, (some) =>
      listPurchasesByKey(
        tx,
        projectId,
        some.map(({ purchase }) => purchase),
      ),
    ),
    unlessNone(needs.invoices, (some) => listInvoiced(tx, projectId, some)),
    unlessNone(needs.purchases, (some) => listEarly(tx, projectId, some)),
    unlessNone(needs.created, (some) => listCreatorsByRef(tx, projectId, some)),
    unlessNone(needs.people, (some) => listCreators(tx, projectId, some)),
  ]);
  return {
    participants,
    keys,
    codes,
    ownerFigures,
    ownersRisk,
    identities,
    byKey,
    invoiced,
    early,
    creators: creators.flat(),
  };
}
export type Named = Awaited<ReturnType<typeof askForNamed>>;

/**
 * Loads all inputs of one batch's decisions. The number of statements does not grow with the batch.
 * Four round trips: what the commands name, whose purchases wait for that, what depends on all
 * these, and what depends on their referrers. New people with the code of a person need only the first.
 */
export async function loadLedger(
  { tx, projectId, now, config }: Pick<ProjectWrite, 'tx' | 'projectId' | 'now' | 'config'>,
  asked: Named,
  needs: BatchNeeds,
  riskSources: RiskSources,
): Promise<LedgerState> {
  const { participants, keys, codes, ownerFigures, identities, byKey, invoiced, early } = asked;
  const { creators } = asked;
  const { adjustments, started } = needs;
  const idOf = (ref: ParticipantRef) => participants.byRef.get(refKey(ref))?.id;
  const deciding = unique([...needs.deciding.flatMap((ref) => idOf(ref) ?? []), ...needs.people]);
  const [book, sources, riskBook, waitingParties] = await Promise.all([
    config(PROGRAM_BOOK),
    config(SOURCES),
    config(RISK_BOOK),
    unlessNone(deciding, (some) => listWaitingParties(tx, projectId, some)),
  ]);

  const named = [...participants.byRef.values()].map(({ id }) => id);
  const subscribed = started.flatMap(({ participant, subscriptionId }) => {
    const participantId = idOf(participant);
    return participantId === undefined ? [] : [{ participantId, subscriptionId }];
  });
  const creatorIds = creators.map(({ creatorId }) => creatorId);
  // After a restoration, a purchase that was fully refunded when it was decided may earn.
  const isRestored = [...adjustments, ...early.map(({ input }) => input)].some(
    ({ restores }) => restores !== null,
  );
  const restoredOf = isRestored ? [...byKey, ...invoiced] : [];
  const buyers = restoredOf.map(({ participantId }) => participantId);
  const restoredEvents = unique(restoredOf.map(({ eventId }) => eventId));
  const waitingIds = waitingParties.flatMap((one) => [
    one.participantId,
    ...[one.actorId, one.creatorId].flatMap((id) => id ?? []),
  ]);
  const people = unique([...named, ...needs.people, ...creatorIds, ...buyers, ...waitingIds]);
  // Each once, because they are looked up one by one.
  const weighed = unique([...needs.weighed.flatMap((ref) => idOf(ref) ?? []), ...creatorIds]);
  // Started subscriptions matter only if a subscription can bind.
  const signingUp = bindsBySubscription(book)
    ? unique(needs.signingUp.flatMap((ref) => idOf(ref) ?? []))
    : [];
  const coded = unique([...needs.coded.flatMap((ref) => idOf(ref) ?? []), ...creatorIds]);
  // An Event of this batch may report an invoice again, and an adjustment may then name that Event.
  const adjusted =
    adjustments.length + early.length === 0
      ? []
      : unique([...byKey, ...invoiced].map(({ id }) => id));
  const handleIds = [...identities.handles.keys()];
  // No earlier touch counts for what happens now, in any Program.
  const windowStart = addMs(now, -longestWindow(book, now) * DAY_MS);
  const [
    signups,
    promised,
    ofPeople,
    ofEvents,
    touches,
    codeTouches,
    starts,
    waiting,
    waitingPurchases,
    adjustmentsMade,
    waitingAdjustments,
    customers,
    outside,
    decided,
    rewards,
    decidedEvents,
  ] = await Promise.all([
    unlessNone(people, (some) => listSignups(tx, projectId, some)),
    unlessNone(people, (some) => listPromisedSignups(tx, projectId, some)),
    unlessNone(people, (some) => listReferralsOfPeople(tx, projectId, some)),
    unlessNone(restoredEvents, (some) => listReferralsOfEvents(tx, projectId, some)),
    weighed.length + handleIds.length === 0
      ? []
      : listTouches(tx, projectId, { participantIds: weighed, handleIds, since: windowStart }),
    unlessNone(coded, (some) => listCodeTouches(tx, projectId, some)),
    unlessNone(signingUp, (some) => listStarts(tx, projectId, some)),
    unlessNone(people, (some) => listWaitingEvents(tx, projectId, some)),
    unlessNone(people, (some) => listWaitingPurchases(tx, projectId, some)),
    unlessNone(adjusted, (some) => listAdjustmentsOf(tx, projectId, some)),
    unlessNone(people, (some) => listAdjustmentsOfWaiting(tx, projectId, some)),
    unlessNone(people, (some) => listCustomers(tx, projectId, some, adjusted)),
    unlessNone(subscribed, (some) => listCustomersOutside(tx, projectId, some, adjusted)),
    unlessNone(adjusted, (some) => listDecided(tx, projectId, some)),
    loadRewardsOfPurchases(tx, projectId, adjusted),
    unlessNone(restoredEvents, (some) => listDecidedEvents(tx, projectId, some)),
  ]);

  // A group's purchase may be credited to a referral of somebody who is not named here.
  const referrals = [...byId([...ofPeople, ...ofEvents]).values()];
  const owners = new Set(codes.owners.map(({ id }) => id));
  const owningGroups = codes.owners.flatMap(({ id, kind }) => (kind === 'group' ? [id] : []));
  const referrers = [...referrals, ...touches, ...codeTouches].map(
    (one) => one.referrerParticipantId,
  );
  const others = [
    ...people,
    ...referrals.map((referral) => referral.refereeParticipantId),
    ...referrers,
    ...rewards.map((reward) => reward.beneficiaryParticipantId),
    // An adjustment changes their measures.
    ...(hasMilestones(book) ? decided.flatMap(sidesOfCredit) : []),
    ...(hasMilestones(book) && adjusted.length > 0
      ? [...byKey, ...invoiced].map(({ participantId }) => participantId)
      : []),
  ];
  const everyone = unique(others).filter((id) => !owners.has(id));
  const subjects = [...everyone, ...referrals.map(({ id }) => id)];
  const monthly = monthlyRules(book);
  const changing = rewards.filter(({ ruleId }) => monthly.has(ruleId));
  const comingBy = unique(
    [
      ...[...touches, ...codeTouches].filter((touch) => nameCampaign(touch) !== null),
      ...referrals.filter(({ campaign }) => campaign !== null),
    ].map(({ programId }) => programId),
  );
  const month = monthOf(now);
  const referees = unique([...referrals.map((one) => one.refereeParticipantId), ...weighed]);
  const isCompared =
    needs.refs.length + needs.people.length > 0 &&
    judgesRisk(book) &&
    (referees.length > 0 || touches.some(({ networkHash }) => networkHash !== null));
  const [known, enrollments, figures, creatorsOfReferrers, earnings, happened, campaigns, circle] =
    await Promise.all([
      unlessNone(everyone, (some) => listPeople(tx, projectId, some)),
      unlessNone(everyone, (some) => listEnrollmentsOf(tx, projectId, some)),
      loadFigures(tx, projectId, subjects),
      unlessNone(unique([...referrers, ...owningGroups]), (some) =>
        listCreators(tx, projectId, some),
      ),
      // Each adjustment of the batch, and each that waited for its purchase, can remove one of them.
      unlessNone(periodsOf(monthly, referrals, people), (some) =>
        listFirstEarnings(tx, projectId, some, 1 + adjustments.length + early.length),
      ),
      unlessNone(unique(changing.map(({ eventId }) => eventId)), (some) =>
        listOccurredAt(tx, projectId, some),
      ),
      unlessNone(comingBy.map(campaignsOf), (some) => listCampaigns(tx, projectId, some, month)),
      loadCircle({ tx, projectId }, riskSources, {
        referees,
        referrers: isCompared ? unique([...referrers, ...owners]) : [],
      }),
    ]);
  const partsOf = groupBy(campaigns, ({ subject }) => subject);
  for (const one of ownerFigures) addToTally(figures, one);
  const purchases = [...byKey, ...invoiced, ...waitingPurchases];
  const beneficiaries = unique([...everyone, ...owners]);
  const isNew = new Set(signingUp);
  for (const { participantId } of signups) isNew.delete(participantId);
  // At most so many Events are judged.
  const judged = needs.refs.length + waiting.length + decidedEvents.length;
  const earlier = [...promised, ...waiting, ...decidedEvents];
  const received = [now, ...earlier.map(({ receivedAt }) => receivedAt)];
  const [days, milestones] = await Promise.all([
    loadDays(tx, projectId, dayRanges(book, beneficiaries, received)),
    unlessNone(
      askedMilestones(book, figures, beneficiaries, {
        adjusted: adjusted.length > 0 ? purchases : [],
        hasLateSignup: referrals.some(
          (one) => one.bindingSubscriptionFactId !== null && isNew.has(one.refereeParticipantId),
        ),
      }),
      (some) => listMilestones(tx, projectId, some, MULTIPLES_MAX * judged),
    ),
  ]);
  for (const one of days) addToTally(figures, one);
  const creations = [
    ...creators,
    ...creatorsOfReferrers,
    ...waitingParties.flatMap(({ participantId, creatorId }) =>
      creatorId === null ? [] : [{ participantId, creatorId }],
    ),
  ];
  const state: LedgerState = {
    book,
    sources,
    participants,
    identities,
    people: byId([...codes.owners, ...known]),
    keys: new Map(keys.map((key) => [sourceKey(key), key])),
    signups: new Map(signups.map((signup) => [signup.participantId, signup.answer])),
    promised: new Map(promised.map((signup) => [signup.participantId, signup])),
    starts: groupBy(starts, (start) => start.participantId),
    names: codes.codes,
    touchesOf: byOwner(touches),
    touchesOfHandle: byHandle(touches, identities.handles),
    codeTouchesOf: groupBy(codeTouches, (touch) => touch.participantId),
    creatorOf: new Map(creations.map((one) => [one.participantId, one.creatorId])),
    referrals: new Map(referrals.map((one) => [one.refereeParticipantId, one])),
    enrollments: [...codes.enrollments, ...enrollments],
    waiting: groupBy(waiting, (event) => event.participantId),
    decidedEvents: byId(decidedEvents),
    purchases: byId(purchases),
    purchaseOfEvent: new Map(purchases.map((one) => [one.eventId, one.id])),
    purchaseOfKey: new Map(byKey.map((one) => [sourceKey(one), one.isCounted ? one.id : null])),
    // A waiting purchase may also be named: its list is the same.
    adjustmentsOf: new Map([
      ...groupBy(waitingAdjustments, (one) => one.purchaseId),
      ...groupBy(adjustmentsMade, (one) => one.purchaseId),
    ]),
    earnings: new Map(),
    occurredAt: new Map(happened.map(({ id, occurredAt }) => [id, occurredAt])),
    rewardsOf: new Map(),
    milestones: new Map(),
    early: groupBy(early, (one) => sourceKey(one.input.purchase)),
    customers: {
      known: new Set(customers.map(({ id }) => id)),
      payers: new Set(customers.flatMap(({ id, hasPaid }) => (hasPaid ? [id] : []))),
      knownOutside: new Set(
        outside.map((one) => outsideKey(one.participantId, one.subscriptionId)),
      ),
      decided: new Set(decided.map(({ id }) => id)),
      unpriced: new Set(),
    },
    credits: new Map(
      decided.flatMap((one) => (one.programId === null ? [] : [[one.id, one] as const])),
    ),
    campaigns: new Map(
      comingBy.map((id) => [id, new Set(partsOf.get(campaignsOf(id))?.map(({ part }) => part))]),
    ),
    invoices: new Map(invoiced.map((purchase) => [invoiceKey(purchase), purchase.id])),
    figures,
    risk: toRiskSlice(riskBook, asked.ownersRisk, circle),
  };
  for (const { rewardId, ruleId, period, ...earning } of earnings) {
    const key = earningKey(ruleId, period);
    state.earnings.set(key, new Map(state.earnings.get(key)).set(rewardId, earning));
  }
  for (const reward of [...rewards, ...milestones]) keepReward(state, reward);
  return state;
}

function sidesOfCredit(credit: PurchaseCredit | { readonly programId: null }): string[] {
  if (credit.programId === null) return [];
  return [credit.referrerParticipantId, credit.refereeParticipantId];
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

/** Skips the statement if there is nothing to ask for. */
async function unlessNone<W, R>(
  keys: readonly W[],
  list: (some: readonly W[]) => Promise<R[]>,
): Promise<R[]> {
  return keys.length === 0 ? [] : list(keys);
}

function byId<T extends { readonly id: string }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map((row) => [row.id, row]));
}

function bindsBySubscription(book: ProgramBook): boolean {
  return [...book.programs.values()].some(({ policies }) =>
    policies.some(({ bindingTrigger }) => bindingTrigger === 'subscription'),
  );
}

/** Whether any Program may judge its referrals. */
function judgesRisk({ programs }: ProgramBook): boolean {
  return [...programs.values()].some(
    ({ kind, riskPolicies }) =>
      kind !== 'loyalty' &&
      (riskPolicies.length === 0 || riskPolicies.some(({ mode }) => mode !== 'off')),
  );
}

/** By rule, the Programs of rules with any version that earns for some months. */
function monthlyRules(book: ProgramBook): Map<string, BookedProgram> {
  return new Map(
    [...book.programs.values()].flatMap((program) =>
      program.rules
        .filter(({ terms }) => terms.some(earnsForMonths))
        .map(({ id }) => [id, program] as const),
    ),
  );
}

/** The earning periods that a batch may need. */
function periodsOf(
  rules: ReadonlyMap<string, BookedProgram>,
  referrals: readonly Referral[],
  people: readonly string[],
): { ruleId: string; period: string }[] {
  return [...rules].flatMap(([ruleId, program]) => {
    const periods =
      program.kind === 'loyalty'
        ? people
        : referrals.filter(({ programId }) => programId === program.id).map(({ id }) => id);
    return periods.map((period) => ({ ruleId, period }));
  });
}

function byOwner(touches: readonly (Touch & { ownerId: string | null })[]): Map<string, Touch[]> {
  return groupBy(
    touches.filter((touch) => touch.ownerId !== null),
    (touch) => touch.ownerId as string,
  );
}

function byHandle(
  touches: readonly Touch[],
  handles: ReadonlyMap<string, Handle>,
): Map<string, Touch[]> {
  return groupBy(
    touches.filter((touch) => touch.handleId !== null && handles.has(touch.handleId)),
    (touch) => touch.handleId as string,
  );
}
