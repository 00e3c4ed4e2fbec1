import type { Tx } from '../../../platform/db/database.ts';
import { FINDINGS_MAX } from '../findings.ts';
import { pagesOf } from './page-store.ts';

/** A participant, and the keys by which it is found. A Partner's name and address are not in its participant. */
export interface SearchedPerson {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly partnerId: string | null;
  readonly isErased: boolean;
  readonly keys: readonly string[];
  /** Whether all keys are marked as those of a Partner, or as those of somebody else; null without keys. */
  readonly areOfPartner: boolean | null;
  readonly areMixed: boolean;
}

export const listSearchedPeople = pagesOf<SearchedPerson>(
  'verify_search_keys',
  `select p.id, p.name, p.email, p.partner_id as "partnerId", p.deleted_at is not null as "isErased",
     k.keys, k.all_of_partner as "areOfPartner",
     k.all_of_partner is distinct from k.any_of_partner as "areMixed"
   from participants p
   cross join lateral (select coalesce(array_agg(s.key), '{}') as keys,
       bool_and(s.of_partner) as all_of_partner, bool_or(s.of_partner) as any_of_partner
     from search_keys s where s.project_id = $1 and s.participant_id = p.id) as k
   where p.project_id = $1 order by p.id`,
);

/** Names and addresses of Partners who are not erased, by id. */
export async function findSearchedPartners(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly name: string | null; readonly email: string | null }>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<{ id: string; name: string | null; email: string | null }>(
    'select id, name, email from partners where id = any($1::text[]) and erased_at is null',
    [ids],
  );
  return new Map(rows.map(({ id, ...partner }) => [id, partner]));
}

/** Keys of participants that do not exist. */
export async function listStrayKeys(tx: Tx, projectId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select distinct s.participant_id as id from search_keys s
     where s.project_id = $1 and not exists
       (select 1 from participants p where p.project_id = $1 and p.id = s.participant_id)
     order by 1 limit $2`,
    [projectId, FINDINGS_MAX],
  );
  return rows.map(({ id }) => id);
}
