import { createHash } from 'node:crypto';
import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import type { Instant } from '../../platform/kit/instant.ts';

/** Whether this user has any way to sign in. */
export async function hasAccount(db: Queryable, userId: string): Promise<boolean> {
  const rows = await db.query('select 1 from user_accounts where user_id = $1 limit 1', [userId]);
  return rows.length > 0;
}

export async function hasPassword(db: Queryable, userId: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from user_accounts where user_id = $1 and provider_id = 'credential' limit 1`,
    [userId],
  );
  return rows.length > 0;
}

/** True only the first time, until `expiresAt`; of two concurrent calls, for one. */
export async function insertOnce(
  tx: Tx,
  id: string,
  now: Instant,
  expiresAt: Instant,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into user_verifications (id, identifier, value, expires_at, created_at, updated_at)
     values ($1, $1, '', $2, $3, $3) on conflict (id) do nothing returning 1`,
    [id, expiresAt, now],
  );
  return rows.length > 0;
}

export function deleteOtherSessions(tx: Tx, userId: string, sessionId: string): void {
  tx.send('delete from user_sessions where user_id = $1 and id <> $2', [userId, sessionId]);
}

export function deletePending(tx: Tx, userId: string): void {
  tx.send('delete from user_verifications where value = $1', [userId]);
}

/** The user's address of a mailed password link, by the library's identifier of the link. */
export async function findResetEmail(db: Queryable, token: string): Promise<string | undefined> {
  const identifier = createHash('sha256').update(`reset-password:${token}`).digest('base64url');
  const [row] = await db.query<{ email: string }>(
    `select u.email from user_verifications v join users u on u.id = v.value
     where v.identifier = $1`,
    [identifier],
  );
  return row?.email;
}
