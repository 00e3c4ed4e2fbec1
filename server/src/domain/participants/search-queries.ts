import type { Queryable } from '../../platform/db/driver.ts';
import { listRows } from '../../platform/db/statements.ts';
import { PARTICIPANT } from './queries.ts';
import type { Participant } from './schema.ts';

/** Upper bound of the texts with this prefix: ends with the last code point, which no text contains. */
function endOf(text: string): string {
  return `${text}\u{10ffff}`;
}

/** Participants whose external id begins with the text, in any case of ASCII letters; the shortest first. */
export function searchExternalIds(
  db: Queryable,
  projectId: string,
  text: string,
  limit: number,
): Promise<Participant[]> {
  const folded = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return db.query<Participant>(
    `select ${PARTICIPANT} from participants p
     where p.project_id = $1 and lower(p.external_id collate "C") >= $2
       and lower(p.external_id collate "C") < $3 and p.deleted_at is null
     order by lower(p.external_id collate "C") limit $4`,
    [projectId, folded, endOf(folded), limit],
  );
}

/** Somebody, and the text by which they were found. */
export interface FoundPerson extends Participant {
  readonly key: string;
}

/**
 * People whose name, from any of its words on, or e-mail address begins with a folded text; exact matches
 * first. Partners only if asked for.
 */
export async function searchPeople(
  db: Queryable,
  projectId: string,
  folded: string,
  { withPartners, limit }: { readonly withPartners: boolean; readonly limit: number },
): Promise<FoundPerson[]> {
  if (folded === '') return [];
  const rows = await db.query<FoundPerson>(
    `select key, ${PARTICIPANT}
     from unnest($2::boolean[]) as asked (asked_kind)
     cross join lateral (select k.key, k.participant_id from search_keys k
       where k.project_id = $1 and k.of_partner = asked_kind and k.key >= $3 and k.key < $4
       order by k.key, k.participant_id limit $5) as found
     cross join lateral (select * from participants r
       where r.project_id = $1 and r.id = found.participant_id offset 0) as p
     order by key, id`,
    // Several words of a name may begin alike.
    [projectId, withPartners ? [false, true] : [false], folded, endOf(folded), 2 * limit],
  );
  const seen = new Set<string>();
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id)).slice(0, limit);
}

/** A code or a slug, with its owner. */
export interface FoundName {
  readonly name: string;
  readonly refCodeId: string;
  readonly linkId: string | null;
  readonly programId: string;
  readonly participantId: string;
}

const FOUND_NAME = `n.name, n.ref_code_id as "refCodeId", n.ref_link_id as "linkId",
  c.program_id as "programId", c.participant_id as "participantId"`;

/** Codes and slugs that begin with the text; the exact match first. */
function listNamesByBeginning(
  db: Queryable,
  projectId: string,
  text: string,
  limit: number,
): Promise<FoundName[]> {
  return db.query<FoundName>(
    `select ${FOUND_NAME}
     from (select * from ref_names n where n.project_id = $1 and n.name ~>=~ $2
       and n.name ~<~ $3 order by n.name using ~<~ limit $4) as n
     cross join lateral (select * from ref_codes r
       where r.project_id = $1 and r.id = n.ref_code_id offset 0) as c
     order by n.name using ~<~`,
    [projectId, text, endOf(text), limit],
  );
}

/** The code or link of this id, or the one that its name was moved to; none once its owner is erased. */
const listNamesById = listRows<FoundName, [projectId: string, id: string]>(`select ${FOUND_NAME}
     from (select r.code as name from ref_codes r where r.project_id = $1 and r.id = $2
       union all select r.slug from ref_links r where r.project_id = $1 and r.id = $2) as asked
     cross join lateral (select * from ref_names r
       where r.project_id = $1 and r.name = asked.name offset 0) as n
     cross join lateral (select * from ref_codes r
       where r.project_id = $1 and r.id = n.ref_code_id offset 0) as c`);

/** Format of names; anything else needs no lookup. */
const NAME = /^[a-z0-9-]{1,50}$/;

/** Codes and slugs that begin with a text, ignoring case; at most `limit`, exact matches first. */
export async function searchNames(
  db: Queryable,
  projectId: string,
  text: string,
  limit: number,
): Promise<FoundName[]> {
  const name = text.toLowerCase();
  return NAME.test(name) ? listNamesByBeginning(db, projectId, name, limit) : [];
}

export async function findNameById(
  db: Queryable,
  projectId: string,
  id: string,
): Promise<FoundName | undefined> {
  return (await listNamesById(db, projectId, id))[0];
}
