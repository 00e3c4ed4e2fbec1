import { LRUCache } from 'lru-cache';
import type { Database } from '../../../platform/db/database.ts';
import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { hashNetworkOf } from '../../clicks/hash-network.ts';
import { insertNetworks, lockIfFree } from '../store.ts';

/** Of this process; a network that it forgot is saved again. */
const KNOWN_MAX = 20_000;

/** Records in which network somebody opened a page of their own. */
export type RecordNetwork = (
  project: ProjectRef,
  participantId: string,
  ip: string | null,
) => Promise<void>;

/**
 * Saves each network of somebody at most once a day, and not at all while their row is being changed: a
 * page never waits for the Project's writer.
 */
export function makeRecordNetwork(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly keyring: Keyring;
}): RecordNetwork {
  /** Created with the first network: it reserves room for all of them. */
  let known: LRUCache<string, true> | undefined;
  return async (project, participantId, ip) => {
    const projectId = project.id;
    const networkHash = hashNetworkOf(deps.keyring, projectId, ip);
    if (networkHash === null) return;
    const seenAt = await projectNow(deps.database.reads, deps.clock, project);
    const key = [projectId, participantId, networkHash, seenAt.slice(0, 10)].join(' ');
    if (known?.has(key)) return;
    const isSaved = await deps.database.transaction(async (tx) => {
      const isFree = await lockIfFree(tx, projectId, participantId);
      if (isFree) insertNetworks(tx, projectId, [{ participantId, networkHash, seenAt }]);
      return isFree;
    });
    if (!isSaved) return;
    known ??= new LRUCache({ max: KNOWN_MAX });
    known.set(key, true);
  };
}
