import type { Tx } from '../../platform/db/database.ts';
import { findRow, sendWrite } from '../../platform/db/statements.ts';
import type { Environment } from '../../platform/http/access/principal.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { Partner } from './schema.ts';
import type { ApplicationRow } from './store.ts';

export const PARTNER = `id, workspace_id as "workspaceId", environment, name, email,
  email_verified_at as "emailVerifiedAt", profile_type as "profileType", country, status,
  suspended_at as "suspendedAt", suspension_reason as "suspensionReason",
  created_at as "createdAt", updated_at as "updatedAt", erased_at as "erasedAt"`;

export interface PartnerRow extends Partner {
  /** How often the status changed. */
  readonly statusNumber: number;
  /** Whether the current status was copied to every Project. */
  readonly isCopied: boolean;
}
export const ROW = `${PARTNER}, status_number as "statusNumber", is_copied as "isCopied"`;

export const lockPartnerRow = findRow<PartnerRow, [partnerId: string], Tx>(
  `select ${ROW} from partners where id = $1 for no key update`,
);

/** Afterwards the status must be copied to every Project. */
export function updateStatus(tx: Tx, partner: PartnerRow): void {
  tx.send(
    `update partners set status = $2, suspended_at = $3, suspension_reason = $4, updated_at = $5,
       status_number = $6, is_copied = false
     where id = $1`,
    [
      partner.id,
      partner.status,
      partner.suspendedAt,
      partner.suspensionReason,
      partner.updatedAt,
      partner.statusNumber,
    ],
  );
}

/** Does nothing if the status has changed again since. */
export const updateCopied = sendWrite<[partnerId: string, statusNumber: number]>(
  'update partners set is_copied = true where id = $1 and status_number = $2',
);

export type PartnerStanding = Pick<Partner, 'id' | 'status'>;

interface NewPartner {
  readonly id: string;
  readonly workspaceId: string;
  readonly environment: string;
  readonly emailKey: string;
  readonly application: ApplicationRow;
  readonly now: Instant;
}

/** The Partner of a Workspace, environment and proven e-mail; created if there is none. */
export async function findOrInsertPartner(tx: Tx, partner: NewPartner): Promise<PartnerStanding> {
  const { application } = partner;
  // An update without changes locks the existing row, so that it cannot be erased before it is
  // read.
  const [row] = await tx.query<PartnerStanding>(
    `insert into partners (id, workspace_id, environment, name, email, email_key,
       email_verified_at, profile_type, country, status, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'active', $10, $10)
     on conflict (workspace_id, environment, email_key)
       do update set email_key = excluded.email_key
     returning id, status`,
    [
      partner.id,
      partner.workspaceId,
      partner.environment,
      application.name,
      application.email,
      partner.emailKey,
      application.emailVerifiedAt,
      application.profileType,
      application.country,
      partner.now,
    ],
  );
  if (!row) throw new Error('A partner that was just saved does not exist.');
  return row;
}

/** Prevents changes to the Partner until the transaction ends; undefined if it was erased. */
export const shareLockPartner = findRow<
  PartnerStanding & Pick<Partner, 'name' | 'email'>,
  [partnerId: string],
  Tx
>('select id, status, name, email from partners where id = $1 and erased_at is null for share');

interface PartnerParticipant {
  readonly workspaceId: string;
  readonly environment: Environment;
}

/** Undefined for a Partner that does not exist or was erased. */
export const lockPartner = findRow<
  PartnerParticipant,
  [partnerId: string],
  Tx
>(`select workspace_id as "workspaceId", environment from partners
     where id = $1 and erased_at is null for update`);

export const blankPartner = sendWrite<
  [partnerId: string, emailKey: string, now: Instant]
>(`update partners
     set name = null, email = null, country = null, suspension_reason = null, email_key = $2,
       erased_at = $3, updated_at = $3
     where id = $1`);
