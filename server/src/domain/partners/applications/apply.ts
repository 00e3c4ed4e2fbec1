import type { Tx } from '../../../platform/db/database.ts';
import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import { conflict, invalid, notFound } from '../../../platform/kit/errors.ts';
import { addMs, DAY_MS, toInstant } from '../../../platform/kit/instant.ts';
import { findProgram } from '../../programs/queries.ts';
import type { PartnerDeps } from '../partner-deps.ts';
import type { ApplicationReceipt, Apply } from '../schema.ts';
import {
  deleteLongestUnproven,
  findLatestApplication,
  findUnprovenCount,
  insertApplication,
  lowerUnprovenCount,
  raiseUnprovenCount,
  rearmMail,
  updateFacts,
} from '../store.ts';
import { hashApplicant, makeApplicationId, readApplicant } from './applicant.ts';

/**
 * Approximate limit of unproven pending applications per Program: anyone can send them. Above it a
 * new one replaces the one that has waited longest, so that nobody can block a Program by filling
 * it.
 */
const UNPROVEN_MAX = 1_000;
/** A repeat mails the link again; the limit keeps it from flooding a stranger's mailbox. */
const MAIL_AGAIN_AFTER_MS = DAY_MS;

/**
 * Saves an application, once per mailbox and Program until it is decided; until the proof a repeat
 * replaces the previous content. The response never shows whether the address applied before. Does
 * not lock the Project's head: public requests never delay the Project's writes. The application's
 * times are from the Project's clock, its mail's from real time.
 *
 * Fails with NOT_FOUND, INVALID_REQUEST (not an affiliate Program), CONFLICT `program_not_open`.
 */
export async function applyAsPartner(
  deps: PartnerDeps,
  project: ProjectRef,
  input: Apply,
): Promise<ApplicationReceipt> {
  const { programId } = input;
  const facts = readApplicant(input);
  const projectId = project.id;
  const now = await projectNow(deps.database.reads, deps.clock, project);
  const mailDueAt = toInstant(deps.clock.nowMs());
  const applicantHash = hashApplicant(deps.keyring, projectId, facts.email);
  const applicant = { projectId, programId, applicantHash };

  const id = await deps.database.transaction(async (tx) => {
    const program = await findProgram(tx, projectId, programId, now);
    if (!program) throw notFound('program');
    if (program.kind !== 'affiliate') {
      throw invalid('programId', 'must be an affiliate program; other programs have no partners');
    }
    if (program.status !== 'active' || !program.config.partnerApplicationsOpen) {
      throw conflict(
        'program_not_open',
        'This program is not accepting applications at the moment.',
      );
    }
    const latest = await findLatestApplication(tx, applicant);
    if (latest?.status === 'pending') {
      const before = addMs(mailDueAt, -MAIL_AGAIN_AFTER_MS);
      rearmMail(tx, projectId, latest.id, { dueAt: mailDueAt, before });
      updateFacts(tx, projectId, latest.id, { ...facts, now });
      return latest.id;
    }
    const generation = latest ? latest.generation + 1 : 0;
    const newId = makeApplicationId(deps.keyring, applicantHash, programId, generation);
    const application = { id: newId, generation, now, mailDueAt };
    const isNew = await insertApplication(tx, applicant, application, facts);
    if (isNew) await countUnproven(tx, projectId, programId, newId);
    return newId;
  });
  deps.onMailDue();
  return { id, programId, status: 'pending' };
}

async function countUnproven(
  tx: Tx,
  projectId: string,
  programId: string,
  newId: string,
): Promise<void> {
  const excess = (await findUnprovenCount(tx, projectId, programId)) + 1 - UNPROVEN_MAX;
  const dropped =
    excess > 0
      ? await deleteLongestUnproven(tx, projectId, programId, { exceptId: newId, limit: excess })
      : 0;
  raiseUnprovenCount(tx, projectId, programId);
  if (dropped > 0) lowerUnprovenCount(tx, projectId, programId, dropped);
}
