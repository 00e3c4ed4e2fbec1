import type { Handle, IdentitySlice } from '../attribution/decide-identify.ts';
import { loadIdentities } from '../attribution/load-identities.ts';
import type { ProjectWrite } from '../feed/project-write.ts';
import { groupBy } from '../kit/group-by.ts';
import type { Keyring } from '../kit/keyring.ts';
import { loadParticipants } from '../participants/load-participants.ts';
import { findEnrollments, findNamedCodes, findPeople } from '../participants/referral-parties.ts';
import { loadBook } from '../programs/load-book.ts';
import type { ProgramBook } from '../programs/program-book.ts';
import type { EventInput } from './normalize-event.ts';
import { toCodeName } from './ref-code.ts';
import { counterKey, type Touch, type TrackSlice } from './slice.ts';
import {
  listCounters,
  listCustomers,
  listInvoices,
  listReferralsOfReferees,
  listSignups,
  listSourceKeys,
  listSources,
  listTouches,
  listWaitingEvents,
  listWaitingPurchases,
} from './store.ts';

export interface LoadedSlice {
  readonly slice: TrackSlice;
  readonly identities: IdentitySlice;
}

/**
 * Everything that the Events of one batch are decided by, in as many statements for two
 * hundred as for one, and in three round trips: what they name, what hangs on that, and
 * what hangs on the referrers behind it.
 */
export async function loadSlice(
  write: ProjectWrite,
  keyring: Keyring,
  inputs: readonly EventInput[],
  alsoPeople: readonly string[] = [],
): Promise<LoadedSlice> {
  const { tx, projectId } = write;
  const keyed = inputs.flatMap(({ sourceNamespaceId, sourceEventId }) =>
    sourceEventId === null ? [] : [{ sourceNamespaceId, sourceEventId }],
  );
  const handles = inputs.flatMap(({ handle }) => handle ?? []);
  const [book, sources, participants, keys, names, identities] = await Promise.all([
    loadBook(tx, projectId),
    listSources(tx, projectId),
    loadParticipants(tx, keyring, projectId, {
      refs: inputs.flatMap(({ participant, actor }) =>
        actor ? [participant, actor] : [participant],
      ),
    }),
    keyed.length === 0 ? [] : listSourceKeys(tx, projectId, keyed),
    findNamedCodes(
      tx,
      projectId,
      inputs.flatMap(({ refCode }) => (refCode ? [toCodeName(refCode)] : [])),
    ),
    loadIdentities(tx, keyring, projectId, { handles, keys: [] }),
  ]);

  const named = [...participants.byRef.values()].map(({ id }) => id);
  const people = [...named, ...alsoPeople];
  const invoiceIds = inputs.flatMap(({ facts }) => facts.purchase?.invoiceId ?? []);
  const [signups, referrals, touches, waiting, purchases, customers, invoices] = await Promise.all([
    listSignups(tx, projectId, people),
    listReferralsOfReferees(tx, projectId, people),
    listTouches(tx, projectId, people, [...identities.handles.keys()]),
    listWaitingEvents(tx, projectId, people),
    listWaitingPurchases(tx, projectId, people),
    listCustomers(tx, projectId, people),
    invoiceIds.length === 0 ? [] : listInvoices(tx, projectId, invoiceIds),
  ]);

  const referrers = [
    ...referrals.map((referral) => referral.referrerParticipantId),
    ...touches.map((touch) => touch.referrerParticipantId),
    ...[...names.values()].map((code) => code.participantId),
  ];
  const everyone = [...new Set([...people, ...referrers])];
  const subjects = [...everyone, ...referrals.map(({ id }) => id)];
  const [known, enrollments, counters] = await Promise.all([
    findPeople(tx, projectId, everyone),
    findEnrollments(tx, projectId, everyone),
    listCounters(tx, projectId, subjects, ruleCounterNames(book)),
  ]);
  return {
    identities,
    slice: {
      book,
      sources: new Map(sources.map((source) => [source.id, source])),
      participants,
      people: new Map(known.map((person) => [person.id, person])),
      keys: new Map(keys.map((key) => [`${key.sourceNamespaceId}\n${key.sourceEventId}`, key])),
      signups: new Map(signups.map((signup) => [signup.participantId, signup.answer])),
      names,
      touchesOf: byOwner(touches),
      touchesOfHandle: byHandle(touches, identities.handles),
      referrals: new Map(referrals.map((referral) => [referral.refereeParticipantId, referral])),
      enrollments,
      waiting: groupBy(waiting, (event) => event.participantId),
      purchases: new Map(purchases.map((purchase) => [purchase.eventId, purchase])),
      customers: new Set(customers),
      invoices: new Map(invoices.map((invoice) => [invoice.invoiceId, invoice.id])),
      counters: new Map(
        counters.map(({ subject, name, value, firstAt }) => [
          counterKey(subject, name),
          { value: BigInt(value), firstAt },
        ]),
      ),
    },
  };
}

/** The counters that decisions ask for; the others are only added to. */
function ruleCounterNames(book: ProgramBook): string[] {
  return [...book.programs.values()].flatMap((program) =>
    program.rules.flatMap(({ id }) => [`earned:${id}`, `period:${id}`, `once:${id}`]),
  );
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
