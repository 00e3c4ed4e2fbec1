import type { Tx } from '../../platform/db/database.ts';
import { sendWrite } from '../../platform/db/statements.ts';
import { boolean, insertRows, text } from '../../platform/db/write-rows.ts';
import type { Participant } from './schema.ts';
import { searchKeysOf } from './search-keys.ts';

/** Somebody with the name and the address that they are searched by. A Partner's are not in its participant. */
type Searched = Pick<Participant, 'id' | 'name' | 'email' | 'partnerId'>;

interface SearchKey {
  readonly participantId: string;
  readonly key: string;
  readonly ofPartner: boolean;
}

const insertSearchKeyRows = insertRows<SearchKey>('search_keys', {
  participant_id: text((row) => row.participantId),
  key: text((row) => row.key),
  of_partner: boolean((row) => row.ofPartner),
});

/** People without a name and an address have no rows, and cause no statement. */
export function insertSearchKeys(tx: Tx, projectId: string, people: readonly Searched[]): void {
  const rows = people.flatMap((one) =>
    searchKeysOf(one).map((key) => ({
      participantId: one.id,
      key,
      ofPartner: one.partnerId !== null,
    })),
  );
  if (rows.length > 0) insertSearchKeyRows(tx, projectId, rows);
}

export const deleteSearchKeys = sendWrite<
  [projectId: string, participantIds: readonly string[]]
>(`delete from search_keys k
     using (select $1::text as asked_project, asked_id from unnest($2::text[]) as u (asked_id)
       offset 0) as asked
     where k.project_id = $1 and k.project_id = asked_project and k.participant_id = asked_id`);

export function replaceSearchKeys(tx: Tx, projectId: string, people: readonly Searched[]): void {
  if (people.length === 0) return;
  deleteSearchKeys(
    tx,
    projectId,
    people.map(({ id }) => id),
  );
  insertSearchKeys(tx, projectId, people);
}
