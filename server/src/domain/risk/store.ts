import type { Tx } from '../../platform/db/database.ts';
import { hasRow, listValues, sendWrite } from '../../platform/db/statements.ts';
import { insertRows, text, timestamptz } from '../../platform/db/write-rows.ts';
import type { ConfigTx } from '../../platform/feed/writer/project-write.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { StoredLists } from './lists/stored-lists.ts';

// Networks and cards

/** Whether somebody is there and not being changed, until the transaction ends. */
export const lockIfFree = hasRow<[projectId: string, participantId: string], Tx>(
  `select 1 from participants where project_id = $1 and id = $2 and deleted_at is null
     for share skip locked`,
);

interface SeenCard {
  readonly participantId: string;
  readonly cardHash: string;
  readonly seenAt: Instant;
}

export const insertCards = insertRows<SeenCard>(
  'participant_cards',
  {
    participant_id: text((one) => one.participantId),
    card_hash: text((one) => one.cardHash),
    seen_at: timestamptz((one) => one.seenAt),
  },
  `on conflict (project_id, participant_id, card_hash) do update set
     seen_at = greatest(participant_cards.seen_at, excluded.seen_at)`,
);

interface Seen {
  readonly participantId: string;
  readonly networkHash: string;
  readonly seenAt: Instant;
}

export const insertNetworks = insertRows<Seen>(
  'participant_networks',
  {
    participant_id: text((one) => one.participantId),
    network_hash: text((one) => one.networkHash),
    seen_at: timestamptz((one) => one.seenAt),
  },
  `on conflict (project_id, participant_id, network_hash) do update set
     seen_at = greatest(participant_networks.seen_at, excluded.seen_at)`,
);

export const deleteNetworksOf = sendWrite<[projectId: string, participantId: string]>(
  'delete from participant_networks where project_id = $1 and participant_id = $2',
);

export const deleteCardsOf = sendWrite<[projectId: string, participantId: string]>(
  'delete from participant_cards where project_id = $1 and participant_id = $2',
);

export const listProjectsWithNetworks = listValues<string, [before: Instant]>(
  'select distinct project_id from participant_networks where seen_at < $1',
);

export const listProjectsWithCards = listValues<string, [before: Instant]>(
  'select distinct project_id from participant_cards where seen_at < $1',
);

type DeleteSeen = (tx: Tx, projectId: string, before: Instant, limit: number) => Promise<number>;

/** Deletes what was not seen since. Returns how many. */
function deleteSeen(table: string, hash: string): DeleteSeen {
  return async (tx, projectId, before, limit) => {
    const rows = await tx.query(
      `delete from ${table} n
       using (select participant_id, ${hash} from ${table}
         where project_id = $1 and seen_at < $2 limit $3 for update skip locked) as old
       where n.project_id = $1 and n.participant_id = old.participant_id
         and n.${hash} = old.${hash}
       returning 1`,
      [projectId, before, limit],
    );
    return rows.length;
  };
}

export const deleteNetworks = deleteSeen('participant_networks', 'network_hash');
export const deleteCards = deleteSeen('participant_cards', 'card_hash');

// Lists

export function saveLists(
  tx: ConfigTx,
  projectId: string,
  lists: StoredLists,
  updatedAt: Instant,
): void {
  tx.send(
    `insert into risk_lists (project_id, lists, updated_at) values ($1, $2, $3)
     on conflict (project_id) do update set lists = excluded.lists, updated_at = excluded.updated_at`,
    [projectId, JSON.stringify(lists), updatedAt],
  );
}
