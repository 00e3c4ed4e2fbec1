import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { listRows, listValues, sendWrite } from '../../../platform/db/statements.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { MailData, MailKind, PersonKind, TeamKind } from '../kinds.ts';

export interface NewMail {
  readonly id: string;
  readonly kind: MailKind;
  readonly factId: string;
  readonly recipientId: string;
  readonly programId: string | null;
  readonly data: MailData;
  /** When it was caused, by the Project's clock. */
  readonly projectTime: Instant;
}

/** Those that are already known by kind, fact and recipient are left as they are; returns the new ones. */
export async function insertMails(
  tx: Tx,
  projectId: string,
  mails: readonly NewMail[],
  now: Instant,
): Promise<string[]> {
  if (mails.length === 0) return [];
  const column = <V>(of: (mail: NewMail) => V) => mails.map(of);
  const rows = await tx.query<{ id: string }>(
    `insert into mails (project_id, id, kind, fact_id, recipient_id, program_id, data, state, tries,
       due_at, created_at, updated_at, project_time)
     select $1, id, kind, fact_id, recipient_id, program_id, data::jsonb, 'waiting', 0,
       $8::timestamptz, $8::timestamptz, $8::timestamptz, project_time
     from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
       $9::timestamptz[])
       as given (id, kind, fact_id, recipient_id, program_id, data, project_time)
     on conflict (project_id, kind, fact_id, recipient_id) do nothing returning id`,
    [
      projectId,
      column(({ id }) => id),
      column(({ kind }) => kind),
      column(({ factId }) => factId),
      column(({ recipientId }) => recipientId),
      column(({ programId }) => programId),
      column(({ data }) => JSON.stringify(data)),
      now,
      column(({ projectTime }) => projectTime),
    ],
  );
  return rows.map(({ id }) => id);
}

/** Projects whose feed has events that were not read for mails. */
export const listProjectsBehind = listValues<string, [limit: number]>(
  `select s.project_id from mail_settings s
   join project_heads h on h.project_id = s.project_id
   where h.feed_position > s.position limit $1`,
);

/** Projects whose mails to the team, or of ordered payouts, are on. */
export const listProjectsWithMail = listValues<string, [after: string, limit: number]>(
  `select project_id from mail_settings where project_id > $1 order by project_id limit $2`,
);

/** Undefined if another process follows the Project right now. */
export async function lockPosition(tx: Tx, projectId: string): Promise<number | undefined> {
  const [row] = await tx.query<{ position: bigint }>(
    'select position from mail_settings where project_id = $1 for update skip locked',
    [projectId],
  );
  return row && Number(row.position);
}

export const updatePosition = sendWrite<[projectId: string, position: number]>(
  'update mail_settings set position = $2 where project_id = $1',
);

/** The Programs of these Rewards. */
export async function findProgramsOfRewards(
  db: Queryable,
  projectId: string,
  rewardIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; programId: string }>(
    `select r.id, r."programId" from unnest($2::text[]) as asked (id)
     cross join lateral (select w.id, w.program_id as "programId" from rewards w
       where w.project_id = $1 and w.id = asked.id offset 0) as r`,
    [projectId, rewardIds],
  );
  return new Map(rows.map(({ id, programId }) => [id, programId]));
}

/** A Partner who was admitted to a Program. */
export interface Admission {
  readonly participantId: string;
  readonly programId: string;
  readonly isFirst: boolean;
  readonly happenedAt: Instant;
}

/** Admissions after `since` to Programs that welcome, whose Partners were not welcomed there and are not erased. */
export const listAdmissions = listRows<
  Admission,
  [projectId: string, since: Instant, limit: number]
>(`select a.participant_id as "participantId", a.program_id as "programId",
     a.decided_at as "happenedAt",
     not exists (select 1 from partner_applications f
       where f.project_id = $1 and f.participant_id = a.participant_id and f.status = 'approved'
         and (f.decided_at, f.id) < (a.decided_at, a.id)) as "isFirst"
   from partner_applications a
   where a.project_id = $1 and a.status = 'approved' and a.decided_at > $2
     and exists (select 1 from participants o where o.project_id = $1
       and o.id = a.participant_id and o.deleted_at is null)
     and exists (select 1 from mail_programs p where p.project_id = $1
       and p.program_id = a.program_id and 'partner_welcome' = any(p.kinds)
       and a.decided_at >= coalesce((p.switched_on->>'partner_welcome')::timestamptz, '-infinity'))
     and not exists (select 1 from mails m where m.project_id = $1
       and m.recipient_id = a.participant_id and m.kind = 'partner_welcome'
       and m.program_id = a.program_id)
   order by a.decided_at limit $3`);

/** A payout that its provider is carrying out, or that somebody has submitted to a bank. */
export interface OrderedPayout {
  readonly payoutId: string;
  readonly participantId: string;
  /** That of its first Reward. */
  readonly programId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly currencyExponent: number;
  readonly happenedAt: Instant;
}

/**
 * Payouts that were ordered after `since` and not mailed yet, of people who are not erased. Those of Programs that do
 * not mail them are left out here: they would fill the page for ever.
 */
export const listOrderedPayouts = listRows<
  OrderedPayout,
  [projectId: string, since: Instant, limit: number]
>(`select p.payout_id as "payoutId", p.participant_id as "participantId",
     l.program_id as "programId", p.amount_minor as "amountMinor", p.currency,
     p.currency_exponent as "currencyExponent", p.updated_at as "happenedAt"
   from payout_parts p
   cross join lateral (select w.program_id from payout_lines i
     join rewards w on w.project_id = $1 and w.id = i.reward_id
     where i.project_id = $1 and i.payout_id = p.payout_id order by i.reward_id limit 1) as l
   join mail_programs s on s.project_id = $1 and s.program_id = l.program_id
     and 'payout_ordered' = any(s.kinds)
     and p.updated_at >= coalesce((s.switched_on->>'payout_ordered')::timestamptz, '-infinity')
   where p.project_id = $1 and p.status = 'processing' and p.updated_at > $2 and p.amount_minor > 0
     and exists (select 1 from participants o where o.project_id = $1
       and o.id = p.participant_id and o.deleted_at is null)
     and not exists (select 1 from mails m where m.project_id = $1 and m.kind = 'payout_ordered'
       and m.fact_id = p.payout_id and m.recipient_id = p.participant_id)
   order by p.number limit $3`);

/** Something that a member of the team has to do. */
export interface TeamTask {
  readonly kind: TeamKind;
  readonly factId: string;
  readonly about: string;
}

/** Applications that were proven after `since`. */
export const listApplicationTasks = listRows<
  Omit<TeamTask, 'kind'>,
  [projectId: string, since: Instant, limit: number]
>(`select a.id as "factId", p.name as about from partner_applications a
   join programs p on p.project_id = $1 and p.id = a.program_id
   where a.project_id = $1 and a.status = 'pending' and a.email_verified_at is not null
     and a.email_verified_at > $2
   order by a.created_at desc limit $3`);

/**
 * Drafts that were created after `since`; a batch of several Projects is a task of the first. Both statuses are
 * named because the index on batches to decide has this condition.
 */
export const listBatchTasks = listRows<
  Omit<TeamTask, 'kind' | 'about'> & {
    totals: readonly { currency: string; currencyExponent: number; amountMinor: string }[];
  },
  [workspaceId: string, environment: string, projectId: string, since: Instant, limit: number]
>(`select id as "factId", totals from payout_batches
   where workspace_id = $1 and environment = $2 and project_ids[1] = $3 and status = 'draft'
     and status in ('draft', 'approved') and created_at > $4 order by id desc limit $5`);

/** People with cash to be paid out, of these or of all, each with the Program of a Reward. */
export async function listWaitingPayees(
  db: Queryable,
  projectId: string,
  among: readonly string[] | null,
): Promise<Map<string, string>> {
  const rows = await db.query<{ participantId: string; programId: string }>(
    `select beneficiary_participant_id as "participantId", min(program_id) as "programId"
     from rewards
     where project_id = $1 and fulfillment_status = 'pending' and method = 'payout' and void is null
       and ($2::text[] is null or beneficiary_participant_id = any($2))
     group by beneficiary_participant_id order by beneficiary_participant_id`,
    [projectId, among],
  );
  return new Map(rows.map(({ participantId, programId }) => [participantId, programId]));
}

/** Those of these people with a mail of the kind after `since`, by the Project's clock. Unsent mails do not count. */
export async function listLastMails(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
  { kind, since }: { readonly kind: PersonKind; readonly since: Instant },
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `select asked.id from unnest($3::text[]) as asked (id)
     where exists (select 1 from mails m where m.project_id = $1 and m.kind = $2
       and m.recipient_id = asked.id and coalesce(m.project_time, m.created_at) > $4
       and m.state not in ('dropped', 'suppressed') offset 0)`,
    [projectId, kind, ids, since],
  );
  return new Set(rows.map(({ id }) => id));
}
