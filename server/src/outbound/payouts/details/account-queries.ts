import { type PaidAccount, RECENT_MAX } from '../../../domain/risk/risk-slice.ts';
import type { ListAccounts } from '../../../domain/tracking/risk/load-risk.ts';
import { listRows } from '../../../platform/db/statements.ts';

/** Other people who are paid to an account, that are counted. */
const OTHERS_MAX = 20;

/** The accounts of the people `who`, as hashes, with how many others share each. */
const accountsOf = (who: string) => `
  select who.id as "participantId", a.fingerprint as account, shared.others::integer as others
  from (${who}) as who
  cross join lateral (select r.fingerprint from payout_details r
    where r.project_id = $1 and r.owner_kind = 'participant' and r.owner_id = who.id
    order by r.id desc limit 1) as a
  cross join lateral (select count(distinct o.owner_id) as others from
    (select r.owner_id from payout_details r
     where r.project_id = $1 and r.fingerprint = a.fingerprint and r.owner_kind = 'participant'
       and r.owner_id <> who.id limit ${OTHERS_MAX}) as o) as shared`;

const listOfOwners = listRows<PaidAccount, [projectId: string, names: readonly string[]]>(
  accountsOf(`select distinct c.participant_id as id from unnest($2::text[]) as asked (name)
    cross join lateral (select r.ref_code_id from ref_names r
      where r.project_id = $1 and r.name = asked.name offset 0) as n
    cross join lateral (select r.participant_id from ref_codes r
      where r.project_id = $1 and r.id = n.ref_code_id offset 0) as c`),
);

const listOfPeople = listRows<
  PaidAccount,
  [projectId: string, participantIds: readonly string[], referrerIds: readonly string[]]
>(
  accountsOf(`select asked_id as id from unnest($2::text[]) as asked (asked_id)
    union
    select f.referee_participant_id from unnest($3::text[]) as asked (owner_id)
    cross join lateral (select r.referee_participant_id from referrals r
      where r.project_id = $1 and r.referrer_participant_id = owner_id
      order by r.id desc limit ${RECENT_MAX}) as f`),
);

/** Where participants are paid. A Partner's account belongs to no Project and is not compared. */
export const listAccounts: ListAccounts = (db, projectId, asked) =>
  'names' in asked
    ? listOfOwners(db, projectId, asked.names)
    : listOfPeople(db, projectId, asked.participantIds, asked.referrerIds);
