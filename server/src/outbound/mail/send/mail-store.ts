import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { hasRow, listRows, listValues, sendWrite } from '../../../platform/db/statements.ts';
import type { CursorPage } from '../../../platform/http/routes/paging.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { Bounce } from '../bounces/decide-bounce.ts';
import type { MailData, MailKind, MailReason, MailState } from '../kinds.ts';
import type { Outcome } from './decide-outcome.ts';

export interface MailRow {
  readonly id: string;
  readonly kind: MailKind;
  readonly recipientId: string;
  readonly programId: string | null;
  readonly data: MailData;
  readonly tries: number;
}

export const listProjectsWithDueMails = listValues<string, [now: Instant, limit: number]>(
  `select project_id from mails where due_at is not null and due_at <= $1
   group by project_id order by min(due_at) limit $2`,
);

/**
 * Takes due mails, so that no other process does before `leaseEnd`. Counts the attempt. They are chosen once: as a
 * joined subquery they could be chosen anew for each row, and the limit would limit nothing.
 */
export function claimMails(
  tx: Tx,
  projectId: string,
  { now, leaseEnd, limit }: { now: Instant; leaseEnd: Instant; limit: number },
): Promise<MailRow[]> {
  return tx.query<MailRow>(
    `with due as materialized (
       select project_id, id from mails
       where project_id = $1 and due_at is not null and due_at <= $2 and state = 'waiting'
       order by due_at limit $4 for update skip locked)
     update mails m set tries = m.tries + 1, due_at = $3, updated_at = $2
     from due where m.project_id = $1 and m.project_id = due.project_id and m.id = due.id
     returning m.id, m.kind, m.recipient_id as "recipientId", m.program_id as "programId",
       m.data, m.tries`,
    [projectId, now, leaseEnd, limit],
  );
}

/** Nobody knows whether a mail was sent if its process ended meanwhile: it is not sent again. */
export const updateInterrupted = listValues<string, [projectId: string, now: Instant], Tx>(
  `update mails set state = 'unknown', reason = 'interrupted', due_at = null, updated_at = $2
   where project_id = $1 and due_at is not null and due_at <= $2 and state = 'sending' returning id`,
);

/** False if the mail is no longer this attempt's. */
export const startSending = hasRow<
  [
    projectId: string,
    id: string,
    tries: number,
    now: Instant,
    leaseEnd: Instant,
    addressHash: string | null,
  ],
  Tx
>(`update mails set state = 'sending', updated_at = $4, due_at = $5, address_hash = $6
   where project_id = $1 and id = $2 and tries = $3 and state = 'waiting' returning id`);

/** False, and nothing is changed, for a mail that was erased meanwhile or that belongs to a later attempt. */
export function updateOutcome(
  tx: Tx,
  projectId: string,
  { id, tries }: Pick<MailRow, 'id' | 'tries'>,
  outcome: Outcome & { readonly now: Instant },
): Promise<boolean> {
  const { state, reason, dueAt, now } = outcome;
  const sentAt = state === 'sent' ? now : null;
  return saveOutcome(tx, projectId, id, tries, state, reason, dueAt, now, sentAt);
}

const saveOutcome = hasRow<
  [string, string, number, MailState, MailReason | null, Instant | null, Instant, Instant | null],
  Tx
>(`update mails set state = $4, reason = $5, due_at = $6, updated_at = $7, sent_at = $8
   where project_id = $1 and id = $2 and tries = $3 and state in ('waiting', 'sending', 'unknown')
   returning id`);

export const insertBounce = sendWrite<
  [projectId: string, recipientId: string, addressHash: string, now: Instant]
>(`insert into mail_bounces (project_id, recipient_id, address_hash, created_at)
   values ($1, $2, $3, $4) on conflict (project_id, recipient_id, address_hash) do nothing`);

export const hasBounced = hasRow<[projectId: string, recipientId: string, addressHash: string]>(
  'select 1 from mail_bounces where project_id = $1 and recipient_id = $2 and address_hash = $3',
);

export const hasOptedOut = hasRow<[projectId: string, recipientId: string, kind: string]>(
  `select 1 from mail_opt_outs
   where project_id = $1 and recipient_id = $2 and kind in ($3, '')`,
);

/** Those of these people who want no mails of the kind. */
export const listOptOuts = listValues<
  string,
  [projectId: string, recipientIds: readonly string[], kind: string]
>(`select asked.id from unnest($2::text[]) as asked (id)
   where exists (select 1 from mail_opt_outs o
     where o.project_id = $1 and o.recipient_id = asked.id and o.kind in ($3, '') offset 0)`);

/** The addresses of these people that were refused for good, of each any number. */
export const listBounces = listRows<
  { readonly recipientId: string; readonly addressHash: string },
  [projectId: string, recipientIds: readonly string[]]
>(`select b.recipient_id as "recipientId", b.address_hash as "addressHash"
   from unnest($2::text[]) as asked (id)
   cross join lateral (select * from mail_bounces f
     where f.project_id = $1 and f.recipient_id = asked.id offset 0) as b`);

export const insertOptOut = sendWrite<
  [projectId: string, recipientId: string, kind: string, now: Instant]
>(`insert into mail_opt_outs (project_id, recipient_id, kind, created_at)
   values ($1, $2, $3, $4) on conflict (project_id, recipient_id, kind) do nothing`);

export interface ShownMail {
  readonly id: string;
  readonly kind: MailKind;
  readonly recipientId: string;
  readonly programId: string | null;
  readonly factId: string;
  readonly state: MailState;
  readonly reason: MailReason | null;
  readonly tries: number;
  readonly nextTryAt: Instant | null;
  readonly createdAt: Instant;
  readonly sentAt: Instant | null;
  readonly projectTime: Instant;
  readonly bounce: Bounce | null;
}

const SHOWN = `id, kind, recipient_id as "recipientId", program_id as "programId",
  fact_id as "factId", state, reason, tries,
  case when state = 'waiting' then due_at end as "nextTryAt", created_at as "createdAt",
  sent_at as "sentAt", coalesce(project_time, created_at) as "projectTime", bounce`;

interface MailFilter {
  readonly recipientId: string | null;
  readonly state: MailState | null;
}

/** Each filter has its own statement, and so its own plan over its own index. */
export function listMails(
  db: Queryable,
  projectId: string,
  { recipientId, state }: MailFilter,
  page: CursorPage,
): Promise<ShownMail[]> {
  const params: unknown[] = [projectId];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const where = ['project_id = $1'];
  if (recipientId !== null) where.push(`recipient_id = ${bind(recipientId)}`);
  if (state !== null) where.push(`state = ${bind(state)}`);
  if (page.beforeId !== null) where.push(`id < ${bind(page.beforeId)}`);
  return db.query<ShownMail>(
    `select ${SHOWN} from mails where ${where.join(' and ')}
     order by id desc limit ${bind(page.limit + 1)}`,
    params,
  );
}

export function deleteMailsOf(tx: Tx, projectId: string, recipientId: string): void {
  for (const table of ['mails', 'mail_opt_outs', 'mail_bounces', 'mail_detail_requests']) {
    tx.send(`delete from ${table} where project_id = $1 and recipient_id = $2`, [
      projectId,
      recipientId,
    ]);
  }
}

export const listProjectsWithOldMails = listValues<string, [before: Instant]>(
  'select distinct project_id from mails where created_at < $1',
);

export const deleteOldMails = listRows<
  { id: string },
  [projectId: string, before: Instant, limit: number],
  Tx
>(`delete from mails m using (select project_id, id from mails
     where project_id = $1 and created_at < $2 and due_at is null limit $3) as old
   where m.project_id = $1 and m.project_id = old.project_id and m.id = old.id returning m.id`);
