import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import { findParticipant } from '../participants/queries.ts';
import type { StoredList } from './lists/stored-lists.ts';
import { findLists } from './queries.ts';
import { deleteCardsOf, deleteNetworksOf, saveLists } from './store.ts';

/** Must run after the participant is locked by its own erasure: a network recorded meanwhile is deleted as well. */
export async function eraseHashes(
  { tx, projectId }: ProjectWrite,
  participantId: string,
): Promise<void> {
  deleteNetworksOf(tx, projectId, participantId);
  deleteCardsOf(tx, projectId, participantId);
}

/** Takes somebody off the Project's lists. Must run while their row has their external id. */
export async function eraseListed(write: ProjectWrite, participantId: string): Promise<void> {
  const { tx, projectId, now } = write;
  const [participant, row] = await Promise.all([
    findParticipant(tx, projectId, participantId),
    findLists(tx, projectId),
  ]);
  if (!participant || !row) return;
  const { kind, externalId } = participant;
  const isThem = (one: StoredList['participants'][number]) =>
    one.kind === kind && one.externalId === externalId;
  const { allowed, watched } = row.lists;
  if (![...allowed.participants, ...watched.participants].some(isThem)) return;
  const without = (list: StoredList): StoredList => ({
    ...list,
    participants: list.participants.filter((one) => !isThem(one)),
  });
  saveLists(
    write.changeConfig(),
    projectId,
    { allowed: without(allowed), watched: without(watched) },
    now,
  );
}
