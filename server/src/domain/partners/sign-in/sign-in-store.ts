import type { Tx } from '../../../platform/db/database.ts';
import { findRow, listRows, sendWrite } from '../../../platform/db/statements.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { Partner } from '../schema.ts';

/** A Partner as presented to the owner of its mailbox. */
export type SignedInPartner = Pick<
  Partner,
  'id' | 'workspaceId' | 'environment' | 'status' | 'createdAt'
> & { readonly name: string; readonly email: string };

/** Every Partner with this address, in all Workspaces; erased ones have none. */
export const listPartnersByEmail = listRows<
  SignedInPartner,
  [emailKey: string]
>(`select id, workspace_id as "workspaceId", environment, name, email, status,
       created_at as "createdAt"
     from partners where email_key = $1 and erased_at is null order by id`);

export interface LinkRow {
  readonly id: string;
  readonly emailKey: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly spentAt: Instant | null;
}
const LINK = `id, email_key as "emailKey", created_at as "createdAt", expires_at as "expiresAt",
  spent_at as "spentAt"`;

/** Its mail is due immediately. */
export function insertLink(tx: Tx, link: Omit<LinkRow, 'spentAt'>): void {
  tx.send(
    `insert into partner_sign_in_links (id, email_key, created_at, expires_at, mail_due_at,
       mail_tries)
     values ($1, $2, $3, $4, $3, 0)`,
    [link.id, link.emailKey, link.createdAt, link.expiresAt],
  );
}

export const findLink = findRow<LinkRow, [linkId: string]>(
  `select ${LINK} from partner_sign_in_links where id = $1`,
);

/** The link's address, if this call is the first to spend it and it has not expired. */
export async function spendLink(tx: Tx, linkId: string, now: Instant): Promise<string | undefined> {
  const [row] = await tx.query<{ emailKey: string }>(
    `update partner_sign_in_links set spent_at = $2, mail_due_at = null
     where id = $1 and spent_at is null and expires_at > $2
     returning email_key as "emailKey"`,
    [linkId, now],
  );
  return row?.emailKey;
}

export interface ClaimedLink extends LinkRow {
  /** Includes this attempt; from 1. */
  readonly tries: number;
}

/** Claims due mails for this process until `leaseEnd`; unfinished ones are then due again. */
export const claimLinks = listRows<
  ClaimedLink,
  [now: Instant, leaseEnd: Instant, limit: number],
  Tx
>(`with due as materialized (
       select id as due_id from partner_sign_in_links where mail_due_at <= $1
       order by mail_due_at limit $3 for update skip locked)
     update partner_sign_in_links set mail_due_at = $2, mail_tries = mail_tries + 1
     from due where id = due_id
     returning ${LINK}, mail_tries as tries`);

/** Null if it was sent or given up. Does nothing if a later claim has taken it. */
export function updateMailDue(
  tx: Tx,
  link: Pick<ClaimedLink, 'id' | 'tries'>,
  dueAt: Instant | null,
): void {
  tx.send(
    `update partner_sign_in_links set mail_due_at = $3
     where id = $1 and mail_tries = $2 and mail_due_at is not null`,
    [link.id, link.tries, dueAt],
  );
}

export const deleteLink = sendWrite<[linkId: string]>(
  'delete from partner_sign_in_links where id = $1',
);

export interface SessionRow {
  readonly tokenHash: string;
  readonly emailKey: string;
  readonly partnerId: string | null;
  readonly createdAt: Instant;
  readonly seenAt: Instant;
}

export function insertSession(tx: Tx, session: SessionRow): void {
  tx.send(
    `insert into partner_sessions (token_hash, email_key, partner_id, created_at, seen_at)
     values ($1, $2, $3, $4, $5)`,
    [session.tokenHash, session.emailKey, session.partnerId, session.createdAt, session.seenAt],
  );
}

export const findSessionRow = findRow<
  SessionRow,
  [tokenHash: string]
>(`select token_hash as "tokenHash", email_key as "emailKey", partner_id as "partnerId",
       created_at as "createdAt", seen_at as "seenAt"
     from partner_sessions where token_hash = $1`);

export const updateSeen = sendWrite<[tokenHash: string, now: Instant]>(
  'update partner_sessions set seen_at = $2 where token_hash = $1',
);

export const updateChosen = sendWrite<[tokenHash: string, partnerId: string]>(
  'update partner_sessions set partner_id = $2 where token_hash = $1',
);

export const deleteSession = sendWrite<[tokenHash: string]>(
  'delete from partner_sessions where token_hash = $1',
);

/** All links and sessions of a Partner's address. Call it before the address is blanked. */
export function deleteSignInsOf(tx: Tx, partnerId: string): void {
  for (const table of ['partner_sign_in_links', 'partner_sessions']) {
    tx.send(
      `delete from ${table} where email_key in (select email_key from partners where id = $1)`,
      [partnerId],
    );
  }
}

export const deleteOldLinks = listRows<
  unknown,
  [before: Instant, limit: number],
  Tx
>(`delete from partner_sign_in_links where id in
       (select id from partner_sign_in_links where expires_at < $1 limit $2) returning 1`);

export const deleteIdleSessions = listRows<
  unknown,
  [before: Instant, limit: number],
  Tx
>(`delete from partner_sessions where token_hash in
       (select token_hash from partner_sessions where seen_at < $1 limit $2) returning 1`);
