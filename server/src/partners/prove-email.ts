import type { Queryable } from '../db/driver.ts';
import { toInstant } from '../kit/instant.ts';
import { findProgram } from '../programs/find-program.ts';
import type { PartnerDeps } from './partner-deps.ts';
import { type ProofSubject, readProofToken } from './proof-token.ts';
import {
  type ApplicationRow,
  findApplication,
  lockApplication,
  lowerUnprovenCount,
  updateProven,
} from './store.ts';

/** How an applicant's proof stands: still to be given, given, or of no use any more. */
export type Proof =
  | { readonly state: 'open' | 'proven'; readonly email: string; readonly programName: string }
  | { readonly state: 'closed' }
  | { readonly state: 'invalid' };

/** Reads only: programs that follow every link of a mail must not prove anything. */
export async function readProof(deps: PartnerDeps, token: string): Promise<Proof> {
  const subject = readProofToken(deps.keyring, token, deps.clock.nowMs());
  if (!subject) return { state: 'invalid' };
  const { reads } = deps.database;
  const application = await findApplication(reads, subject.projectId, subject.applicationId);
  return describe(deps, reads, subject, application);
}

/** Notes that the e-mail is the applicant's; the first time stands. Leaves the head alone. */
export async function proveEmail(deps: PartnerDeps, token: string): Promise<Proof> {
  const nowMs = deps.clock.nowMs();
  const subject = readProofToken(deps.keyring, token, nowMs);
  if (!subject) return { state: 'invalid' };
  const { projectId, applicationId } = subject;
  return deps.database.transaction(async (tx) => {
    const application = await lockApplication(tx, projectId, applicationId);
    const proof = await describe(deps, tx, subject, application);
    if (!application || proof.state !== 'open') return proof;
    updateProven(tx, projectId, applicationId, toInstant(nowMs));
    lowerUnprovenCount(tx, projectId, application.programId);
    return { ...proof, state: 'proven' };
  });
}

async function describe(
  deps: PartnerDeps,
  source: Queryable,
  { projectId }: ProofSubject,
  application: ApplicationRow | undefined,
): Promise<Proof> {
  if (!application || application.email === null) return { state: 'invalid' };
  const isProven = application.emailVerifiedAt !== null;
  if (!isProven && application.status !== 'pending') return { state: 'closed' };
  const now = toInstant(deps.clock.nowMs());
  const program = await findProgram(source, projectId, application.programId, now);
  if (!program) throw new Error('An application names a program that is not there.');
  return {
    state: isProven ? 'proven' : 'open',
    email: application.email,
    programName: program.name,
  };
}
