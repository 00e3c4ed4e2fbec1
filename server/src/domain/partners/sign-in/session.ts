import { createHash, randomBytes } from 'node:crypto';
import type { Tx } from '../../../platform/db/database.ts';
import {
  addMs,
  DAY_MS,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
  toInstant,
} from '../../../platform/kit/instant.ts';
import type { PartnerDeps } from '../partner-deps.ts';
import {
  deleteSession,
  findSessionRow,
  insertSession,
  listPartnersByEmail,
  type SessionRow,
  type SignedInPartner,
  updateChosen,
  updateSeen,
} from './sign-in-store.ts';

export type { SignedInPartner };

const TOKEN = /^[\w-]{43}$/;
export const IDLE_MS = 12 * HOUR_MS;
const LIFE_MS = 7 * DAY_MS;
/** The last-seen time is saved at most this often. */
const SEEN_STEP_MS = 5 * MINUTE_MS;

export interface Session {
  readonly tokenHash: string;
  /** All Partners of the mailbox; never empty. */
  readonly partners: readonly SignedInPartner[];
  /** The selected Partner: the only one, or the one that was chosen. */
  readonly chosen: SignedInPartner | null;
}

/** Returns the token. Only its hash is stored, so that reading the database is not enough to sign in. */
export function startSession(tx: Tx, emailKey: string, now: Instant): string {
  const token = randomBytes(32).toString('base64url');
  const session = { emailKey, partnerId: null, createdAt: now, seenAt: now };
  insertSession(tx, { ...session, tokenHash: hashToken(token) });
  return token;
}

/** 256 random bits need no slow hash. */
function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

type SessionDeps = Pick<PartnerDeps, 'database' | 'clock'>;

/** Undefined if the session was ended or has expired, or its Partners were erased. */
export async function findSession(deps: SessionDeps, token: string): Promise<Session | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const { database, clock } = deps;
  const row = await findSessionRow(database.reads, hashToken(token));
  const now = toInstant(clock.nowMs());
  if (!row || !isLive(row, now)) return undefined;
  const partners = await listPartnersByEmail(database.reads, row.emailKey);
  const [first, ...others] = partners;
  if (!first) return undefined;
  const { tokenHash } = row;
  if (addMs(row.seenAt, SEEN_STEP_MS) <= now) {
    await database.transaction(async (tx) => updateSeen(tx, tokenHash, now));
  }
  const chosen = partners.find(({ id }) => id === row.partnerId) ?? null;
  return { tokenHash, partners, chosen: others.length === 0 ? first : chosen };
}

function isLive({ createdAt, seenAt }: SessionRow, now: Instant): boolean {
  return addMs(seenAt, IDLE_MS) > now && addMs(createdAt, LIFE_MS) > now;
}

/** False for a Partner that does not belong to the session's mailbox. */
export async function choosePartner(
  deps: SessionDeps,
  { tokenHash, partners }: Session,
  partnerId: string,
): Promise<boolean> {
  if (!partners.some(({ id }) => id === partnerId)) return false;
  await deps.database.transaction(async (tx) => updateChosen(tx, tokenHash, partnerId));
  return true;
}

export async function endSession(deps: SessionDeps, { tokenHash }: Session): Promise<void> {
  await deps.database.transaction(async (tx) => deleteSession(tx, tokenHash));
}
