import type { Queryable } from '../../../platform/db/driver.ts';
import { findProjectClock } from '../../../platform/feed/writer/project-clock.ts';
import { toInstant } from '../../../platform/kit/instant.ts';
import { findProgram } from '../../programs/queries.ts';
import type { PartnerDeps } from '../partner-deps.ts';
import {
  type ApplicationRow,
  findApplication,
  lockApplication,
  lowerUnprovenCount,
  updateProven,
} from '../store.ts';
import { type ApplicantFacts, digestFacts } from './applicant.ts';
import { markAddress, readProofToken } from './proof-token.ts';

/** State of an applicant's proof: still open, given, or no longer possible. */
export type Proof =
  | {
      readonly state: 'open';
      readonly facts: ApplicantFacts;
      readonly programName: string;
      /** Of everything that is to be confirmed. */
      readonly digest: string;
      /** Whether the applicant confirmed a version that has changed since. */
      readonly isChanged: boolean;
    }
  | { readonly state: 'proven'; readonly email: string; readonly programName: string }
  | { readonly state: 'closed' }
  | { readonly state: 'invalid' };

/** Reads only: programs that follow every link of a mail must not prove anything. */
export async function readProof(deps: PartnerDeps, token: string): Promise<Proof> {
  const subject = readProofToken(deps.keyring, token, deps.clock.nowMs());
  if (!subject) return { state: 'invalid' };
  const { reads } = deps.database;
  const application = await findApplication(reads, subject.projectId, subject.applicationId);
  return describe(deps, reads, subject.addressMark, application);
}

/**
 * Records that the e-mail is the applicant's and that they confirm the application, if `digest`
 * matches its current content. The first proof counts. Does not lock the head.
 */
export async function proveEmail(deps: PartnerDeps, token: string, digest: string): Promise<Proof> {
  const subject = readProofToken(deps.keyring, token, deps.clock.nowMs());
  if (!subject) return { state: 'invalid' };
  const { projectId, applicationId } = subject;
  return deps.database.transaction(async (tx) => {
    const application = await lockApplication(tx, projectId, applicationId);
    const proof = await describe(deps, tx, subject.addressMark, application);
    if (!application || proof.state !== 'open') return proof;
    if (proof.digest !== digest) return { ...proof, isChanged: true };
    const { now } = await findProjectClock(tx, deps.clock, projectId);
    updateProven(tx, projectId, applicationId, now);
    lowerUnprovenCount(tx, projectId, application.programId);
    const { facts, programName } = proof;
    return { state: 'proven', email: facts.email, programName };
  });
}

async function describe(
  deps: PartnerDeps,
  db: Queryable,
  addressMark: string,
  application: ApplicationRow | undefined,
): Promise<Proof> {
  if (!application) return { state: 'invalid' };
  const { projectId, name, email, status } = application;
  // Blanked, or the link was sent to another address than the current one.
  if (name === null || email === null) return { state: 'invalid' };
  if (markAddress(deps.keyring, email) !== addressMark) return { state: 'invalid' };
  const isProven = application.emailVerifiedAt !== null;
  if (!isProven && status !== 'pending') return { state: 'closed' };
  const now = toInstant(deps.clock.nowMs());
  const program = await findProgram(db, projectId, application.programId, now);
  if (!program) throw new Error('An application names a program that does not exist.');
  const programName = program.name;
  if (isProven) return { state: 'proven', email, programName };
  const facts = { ...application, name, email };
  const digest = digestFacts(facts, programName);
  return { state: 'open', facts, programName, digest, isChanged: false };
}
