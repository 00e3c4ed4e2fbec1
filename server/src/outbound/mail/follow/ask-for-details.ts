import { findPartnerIds } from '../../../domain/participants/queries.ts';
import { findSuspended } from '../../../domain/partners/queries.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { MailWorkerDeps } from '../mail-deps.ts';
import { findSettings } from '../settings/settings-store.ts';
import {
  type DetailDecision,
  type DetailsState,
  type DuePerson,
  decideDetailRequest,
} from './decide-detail-requests.ts';
import {
  deleteDetailRequests,
  findDetailsCursor,
  listAskingPrograms,
  listDetailRequests,
  listLastRequests,
  listWaitingPeople,
  updateDetailsCursor,
  upsertDetailRequest,
  type WaitingPerson,
} from './detail-request-store.ts';
import { findReachable } from './find-reachable.ts';
import { insertMails, lockPosition, type NewMail } from './outbox-store.ts';

/** Rewards that are read at once: a large Project is checked in several rounds. */
const REWARDS_READ = 2_000;
const KIND = 'payout_details_missing';

/**
 * Asks people for payout details once cash of theirs is due; returns how many. Reads a page of the waiting
 * people and continues there the next time. Nobody is asked while there is no sender. Any number of processes may run it.
 */
export async function askForDetails(
  deps: MailWorkerDeps,
  projectId: string,
  { now, realNow }: { readonly now: Instant; readonly realNow: Instant },
): Promise<number> {
  const { reads } = deps.database;
  const programs = await listAskingPrograms(reads, projectId);
  if (programs.length === 0 || !(await findSettings(reads, projectId))?.sender) return 0;
  const after = (await findDetailsCursor(reads, projectId))?.after ?? '';
  const rows = await listWaitingPeople(
    reads,
    projectId,
    after,
    now,
    programs.map(({ programId }) => programId),
    programs.map(({ since }) => since),
    REWARDS_READ,
  );
  const { people, next } = toPage(rows, REWARDS_READ);
  if (people.length === 0 && next === null && after === '') return 0;
  const known = await readPeople(deps, projectId, people);
  return deps.database.transaction(async (tx) => {
    // One process decides at a time, and the next one sees what it has written.
    if ((await lockPosition(tx, projectId)) === undefined) return 0;
    const decisions = await decideAll(tx, projectId, { people, known, now });
    for (const [participantId, decision] of decisions) {
      if ('answered' in decision) deleteDetailRequests(tx, projectId, participantId);
      else upsertDetailRequest(tx, projectId, decision.ask);
    }
    updateDetailsCursor(tx, projectId, next);
    const asks = [...decisions.values()].flatMap((one) => ('ask' in one ? [one.ask] : []));
    const mails = asks.map(
      ({ recipientId, programId }): NewMail => ({
        id: deps.newId('mail'),
        kind: KIND,
        factId: `${programId}/${now}`,
        recipientId,
        programId,
        data: { isAutomatic: true },
        projectTime: now,
      }),
    );
    return (await insertMails(tx, projectId, mails, realNow)).length;
  });
}

/** Those with cash that is due, and the participant after whom to continue; null to begin again. */
function toPage(
  rows: readonly WaitingPerson[],
  limit: number,
): { readonly people: DuePerson[]; readonly next: string | null } {
  const isFull = rows.reduce((sum, { rewardCount }) => sum + rewardCount, 0) >= limit;
  // The last one may have more Rewards than were read.
  const whole = isFull && rows.length > 1 ? rows.slice(0, -1) : rows;
  return {
    people: whole.filter(({ programIds }) => programIds.length > 0),
    next: isFull ? (whole.at(-1)?.participantId ?? null) : null,
  };
}

type KnownPeople = ReadonlyMap<
  string,
  Pick<DetailsState, 'detailsId' | 'isPayable' | 'isSuspended' | 'canBeMailed'>
>;

async function readPeople(
  deps: MailWorkerDeps,
  projectId: string,
  people: readonly DuePerson[],
): Promise<KnownPeople> {
  const { reads } = deps.database;
  const ids = people.map(({ participantId }) => participantId);
  const details = await deps.findDetails(projectId, ids);
  const reachable = await findReachable(deps, reads, projectId, { ids, kind: KIND });
  const partners = await findPartnerIds(reads, projectId, ids);
  const suspended = await findSuspended(reads, [...partners.values()]);
  return new Map(
    ids.map((id) => [
      id,
      {
        detailsId: details.get(id)?.id ?? null,
        isPayable: details.get(id)?.status === 'active',
        isSuspended: suspended.has(partners.get(id) ?? ''),
        canBeMailed: reachable.has(id),
      },
    ]),
  );
}

interface Asked {
  readonly people: readonly DuePerson[];
  readonly known: KnownPeople;
  readonly now: Instant;
}

async function decideAll(
  tx: Tx,
  projectId: string,
  { people, known, now }: Asked,
): Promise<Map<string, NonNullable<DetailDecision>>> {
  const ids = people.map(({ participantId }) => participantId);
  const requests = groupBy(await listDetailRequests(tx, projectId, ids), (one) => one.recipientId);
  const mailed = new Map(
    (await listLastRequests(tx, projectId, ids)).map(({ recipientId, at }) => [recipientId, at]),
  );
  const decisions = new Map<string, NonNullable<DetailDecision>>();
  for (const person of people) {
    const { participantId: id } = person;
    const state = known.get(id);
    if (!state) continue;
    const decision = decideDetailRequest(
      person,
      { ...state, requests: requests.get(id) ?? [], lastMailAt: mailed.get(id) ?? null },
      now,
    );
    if (decision) decisions.set(id, decision);
  }
  return decisions;
}
