import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { findRow, listRows, listValues, sendWrite } from '../../platform/db/statements.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { ApplicantFacts } from './applications/applicant.ts';
import type { ListFilter, ListPage } from './list-page.ts';
import type { ApplicationStatus, PartnerApplication } from './schema.ts';

export interface ApplicationRow extends Omit<PartnerApplication, 'verificationUrl'> {
  /** Set once sending its link was given up. */
  readonly mailFailedAt: Instant | null;
}

const APPLICATION = `id, project_id as "projectId", program_id as "programId", status, name, email,
  email_verified_at as "emailVerifiedAt", profile_type as "profileType",
  company_name as "companyName", country, website, message, created_at as "createdAt",
  updated_at as "updatedAt", decided_at as "decidedAt", decided_by as "decidedBy",
  rejection_reason as "rejectionReason", participant_id as "participantId",
  mail_failed_at as "mailFailedAt"`;

const HAS_ENDED = `status in ('rejected', 'withdrawn')`;
const IS_UNPROVEN = `status = 'pending' and email_verified_at is null`;
/**
 * When the applicant last sent the application, or its link was last due or mailed. Without a
 * mailer, links stay due since the application was received.
 */
const WAITING_SINCE = 'greatest(updated_at, mail_due_at, mail_sent_at, mail_failed_at)';

interface ApplicantRef {
  readonly projectId: string;
  readonly programId: string;
  readonly applicantHash: string;
}

export async function findLatestApplication(
  tx: Tx,
  applicant: ApplicantRef,
): Promise<{ id: string; generation: number; status: ApplicationStatus } | undefined> {
  const [row] = await tx.query<{ id: string; generation: number; status: ApplicationStatus }>(
    `select id, generation, status from partner_applications
     where project_id = $1 and program_id = $2 and applicant_hash = $3
     order by generation desc limit 1`,
    [applicant.projectId, applicant.programId, applicant.applicantHash],
  );
  return row;
}

/** False if another request has saved the same application meanwhile. */
export async function insertApplication(
  tx: Tx,
  applicant: ApplicantRef,
  application: {
    readonly id: string;
    readonly generation: number;
    readonly now: Instant;
    readonly mailDueAt: Instant;
  },
  facts: ApplicantFacts,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into partner_applications (project_id, id, program_id, applicant_hash, generation,
       status, name, email, profile_type, company_name, country, website, message,
       created_at, updated_at, mail_due_at, mail_tries)
     values ($1, $2, $3, $4, $5, 'pending', $6, $7, $8, $9, $10, $11, $12, $13, $13, $14, 0)
     on conflict do nothing returning 1`,
    [
      applicant.projectId,
      application.id,
      applicant.programId,
      applicant.applicantHash,
      application.generation,
      facts.name,
      facts.email,
      facts.profileType,
      facts.companyName,
      facts.country,
      facts.website,
      facts.message,
      application.now,
      application.mailDueAt,
    ],
  );
  return rows.length === 1;
}

/**
 * Replaces the content of an unproven application. The address changes only while its link is still
 * to be mailed: a link proves the address that it was sent to.
 */
export function updateFacts(
  tx: Tx,
  projectId: string,
  applicationId: string,
  facts: ApplicantFacts & { readonly now: Instant },
): void {
  tx.send(
    `update partner_applications
     set name = $3, profile_type = $4, company_name = $5, country = $6, website = $7,
       message = $8, updated_at = $9,
       email = case when mail_due_at is not null and mail_tries = 0 then $10 else email end
     where project_id = $1 and id = $2 and ${IS_UNPROVEN}`,
    [
      projectId,
      applicationId,
      facts.name,
      facts.profileType,
      facts.companyName,
      facts.country,
      facts.website,
      facts.message,
      facts.now,
      facts.email,
    ],
  );
}

export const findApplication = findRow<ApplicationRow, [projectId: string, applicationId: string]>(
  `select ${APPLICATION} from partner_applications where project_id = $1 and id = $2`,
);

export const lockApplication = findRow<
  ApplicationRow,
  [projectId: string, applicationId: string],
  Tx
>(`select ${APPLICATION} from partner_applications where project_id = $1 and id = $2
     for no key update`);

/** Each filter has its own statement, and so its own plan over its own index. */
export function listApplications(
  db: Queryable,
  projectId: string,
  filter: ListFilter,
  page: ListPage,
): Promise<ApplicationRow[]> {
  const params: unknown[] = [projectId];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const where = ['project_id = $1'];
  if (filter.programId !== null) where.push(`program_id = ${bind(filter.programId)}`);
  if (filter.status !== null) where.push(`status = ${bind(filter.status)}`);
  if (page.before !== null) {
    where.push(
      `(created_at, id) < (${bind(page.before.createdAt)}::timestamptz, ${bind(page.before.id)})`,
    );
  }
  return db.query<ApplicationRow>(
    `select ${APPLICATION} from partner_applications where ${where.join(' and ')}
     order by created_at desc, id desc limit ${bind(page.limit + 1)}`,
    params,
  );
}

/** A proven or decided application needs no mail. */
export const updateProven = sendWrite<
  [projectId: string, applicationId: string, now: Instant]
>(`update partner_applications
     set email_verified_at = $3, updated_at = $3, mail_due_at = null
     where project_id = $1 and id = $2`);

export function updateDecided(tx: Tx, application: ApplicationRow): void {
  tx.send(
    `update partner_applications
     set status = $3, decided_at = $4, decided_by = $5, rejection_reason = $6,
       participant_id = $7, updated_at = $8, mail_due_at = null
     where project_id = $1 and id = $2`,
    [
      application.projectId,
      application.id,
      application.status,
      application.decidedAt,
      application.decidedBy,
      application.rejectionReason,
      application.participantId,
      application.updatedAt,
    ],
  );
}

export async function findUnprovenCount(
  db: Queryable,
  projectId: string,
  programId: string,
): Promise<number> {
  const [row] = await db.query<{ unproven: number }>(
    `select unproven from partner_application_counts where project_id = $1 and program_id = $2`,
    [projectId, programId],
  );
  return row?.unproven ?? 0;
}

export const raiseUnprovenCount = sendWrite<
  [projectId: string, programId: string]
>(`insert into partner_application_counts as counts (project_id, program_id, unproven)
     values ($1, $2, 1)
     on conflict (project_id, program_id) do update set unproven = counts.unproven + 1`);

/** Always after the applications' own rows are locked: all writes use this lock order. */
export function lowerUnprovenCount(tx: Tx, projectId: string, programId: string, by = 1): void {
  tx.send(
    `update partner_application_counts set unproven = unproven - $3
     where project_id = $1 and program_id = $2`,
    [projectId, programId, by],
  );
}

/** Deletes a Program's longest-waiting applications, but never `exceptId`; returns how many. */
export async function deleteLongestUnproven(
  tx: Tx,
  projectId: string,
  programId: string,
  { exceptId, limit }: { readonly exceptId: string; readonly limit: number },
): Promise<number> {
  const rows = await tx.query(
    `with longest as materialized (
       select id from partner_applications
       where project_id = $1 and program_id = $2 and ${IS_UNPROVEN} and id <> $3
       order by ${WAITING_SINCE} limit $4 for update skip locked)
     delete from partner_applications a using longest
     where a.project_id = $1 and a.id = longest.id returning 1`,
    [projectId, programId, exceptId, limit],
  );
  return rows.length;
}

/** All applications of the people whose application led to this participant. */
export const lockApplicationsOfParticipant = listRows<
  ApplicationRow,
  [projectId: string, participantId: string],
  Tx
>(`select ${APPLICATION} from partner_applications
     join (select distinct project_id as asked_project, applicant_hash as asked_hash
       from partner_applications where project_id = $1 and participant_id = $2) as asked
       on project_id = asked_project and applicant_hash = asked_hash
     where project_id = $1
     order by id for no key update of partner_applications`);

export const blankApplications = sendWrite<
  [projectId: string, ids: readonly string[], now: Instant]
>(`update partner_applications
     set name = null, email = null, company_name = null, website = null, message = null,
       rejection_reason = null, updated_at = $3
     from (select $1::text as asked_project, asked_id from unnest($2::text[]) as u (asked_id)
       offset 0) as asked
     where project_id = $1 and project_id = asked_project and id = asked_id`);

export interface ClaimedMail {
  readonly applicationId: string;
  readonly programId: string;
  readonly email: string;
  /** Includes this attempt; from 1. Distinguishes this claim from a later one. */
  readonly tries: number;
}

/** At most 100 Projects with due mails, the longest due first. Reads all Projects, without a lock. */
export const listProjectsWithDueMails = listValues<
  string,
  [now: Instant]
>(`select project_id from partner_applications where mail_due_at <= $1
     group by project_id order by min(mail_due_at), project_id limit 100`);

interface MailClaim {
  readonly now: Instant;
  readonly leaseEnd: Instant;
  readonly limit: number;
}

/** Claims due mails for this process until `leaseEnd`; unfinished ones are then due again. */
export function claimMails(
  tx: Tx,
  projectId: string,
  { now, leaseEnd, limit }: MailClaim,
): Promise<ClaimedMail[]> {
  return tx.query<ClaimedMail>(
    `with due as materialized (
       select id from partner_applications
       where project_id = $1 and mail_due_at <= $2
       order by mail_due_at limit $4 for update skip locked)
     update partner_applications set mail_due_at = $3, mail_tries = mail_tries + 1
     from due
     where partner_applications.project_id = $1 and partner_applications.id = due.id
     returning partner_applications.id as "applicationId", program_id as "programId", email,
       mail_tries as tries`,
    [projectId, now, leaseEnd, limit],
  );
}

export function updateMailSent(tx: Tx, projectId: string, mail: ClaimedMail, now: Instant): void {
  tx.send(
    `update partner_applications set mail_due_at = null, mail_sent_at = $4
     where project_id = $1 and id = $2 and mail_tries = $3`,
    [projectId, mail.applicationId, mail.tries, now],
  );
}

/** `nextAt` null gives up. Does nothing if the application needs no mail or a later claim has taken it. */
export function updateMailFailed(
  tx: Tx,
  projectId: string,
  mail: ClaimedMail,
  { now, nextAt }: { readonly now: Instant; readonly nextAt: Instant | null },
): void {
  tx.send(
    `update partner_applications set mail_due_at = $4, mail_failed_at = $5
     where project_id = $1 and id = $2 and mail_tries = $3 and mail_due_at is not null`,
    [projectId, mail.applicationId, mail.tries, nextAt, nextAt === null ? now : null],
  );
}

/** Makes the link due again for an applicant who has not used it, unless the last mail ended after `before`. */
export function rearmMail(
  tx: Tx,
  projectId: string,
  applicationId: string,
  { dueAt, before }: { readonly dueAt: Instant; readonly before: Instant },
): void {
  tx.send(
    `update partner_applications set mail_due_at = $3, mail_tries = 0, mail_failed_at = null
     where project_id = $1 and id = $2 and ${IS_UNPROVEN}
       and mail_due_at is null and greatest(mail_sent_at, mail_failed_at) <= $4`,
    [projectId, applicationId, dueAt, before],
  );
}

export const listProjectsWithStaleApplications = listValues<
  string,
  [before: Instant]
>(`select distinct project_id as "projectId" from partner_applications
     where ${IS_UNPROVEN} and ${WAITING_SINCE} < $1`);

/** Deletes at most `limit` of a Project's applications that have waited since before `before`; returns how many. */
export async function deleteStaleApplications(
  tx: Tx,
  projectId: string,
  before: Instant,
  limit: number,
): Promise<number> {
  const rows = await tx.query<{ deleted: bigint }>(
    `with stale as (
       select id from partner_applications
       where project_id = $1 and ${IS_UNPROVEN} and ${WAITING_SINCE} < $2
       order by ${WAITING_SINCE} limit $3
     ), gone as (
       delete from partner_applications a
       where a.project_id = $1 and a.id in (select id from stale)
         and ${IS_UNPROVEN} and ${WAITING_SINCE} < $2
       returning a.program_id
     ), counted as (
       select program_id, count(*) as deleted from gone group by program_id
     )
     update partner_application_counts c set unproven = c.unproven - counted.deleted
     from counted where c.project_id = $1 and c.program_id = counted.program_id
     returning counted.deleted`,
    [projectId, before, limit],
  );
  return rows.reduce((sum, row) => sum + Number(row.deleted), 0);
}

export const listProjectsWithOldEnded = listValues<
  string,
  [before: Instant]
>(`select distinct project_id as "projectId" from partner_applications
     where ${HAS_ENDED} and decided_at < $1`);

/** Deletes at most `limit` of a Project's applications that were rejected or withdrawn before `before`. */
export async function deleteOldEnded(
  tx: Tx,
  projectId: string,
  before: Instant,
  limit: number,
): Promise<number> {
  const rows = await tx.query(
    `delete from partner_applications where project_id = $1 and id in
       (select id from partner_applications
        where project_id = $1 and ${HAS_ENDED} and decided_at < $2 limit $3)
     returning 1`,
    [projectId, before, limit],
  );
  return rows.length;
}
