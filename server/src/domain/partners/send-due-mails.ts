import { addMs, MINUTE_MS, toInstant } from '../../platform/kit/instant.ts';
import { type Mail, MailError, writeLinkMail } from '../../platform/mail/mailer.ts';
import { findProgram } from '../programs/queries.ts';
import { makeProofToken, PROOF_DAYS, toProofUrl } from './applications/proof-token.ts';
import { MAIL_TRIES_MAX, nextMailTry } from './mail-schedule.ts';
import type { MailWorkerDeps } from './partner-deps.ts';
import {
  type ClaimedMail,
  claimMails,
  listProjectsWithDueMails,
  updateMailFailed,
  updateMailSent,
} from './store.ts';

/** Small, so that all finish within the lease even if each takes the mailer's whole timeout. */
const CLAIM_MAX = 5;
const LEASE_MS = 10 * MINUTE_MS;

/**
 * Sends the due mails of every Project, each outside any transaction, and returns how many were
 * claimed. Mails that an aborted run did not send are due again when the lease ends.
 */
export async function sendDueMails(deps: MailWorkerDeps, signal: AbortSignal): Promise<number> {
  const { database, clock } = deps;
  let taken = 0;
  for (const projectId of await listProjectsWithDueMails(
    database.reads,
    toInstant(clock.nowMs()),
  )) {
    if (signal.aborted) return taken;
    const now = toInstant(clock.nowMs());
    const claimed = await database.transaction((tx) =>
      claimMails(tx, projectId, { now, leaseEnd: addMs(now, LEASE_MS), limit: CLAIM_MAX }),
    );
    taken += claimed.length;
    for (const mail of claimed) {
      if (signal.aborted) return taken;
      await sendAndRecord(deps, projectId, mail);
    }
  }
  return taken;
}

async function sendAndRecord(
  deps: MailWorkerDeps,
  projectId: string,
  mail: ClaimedMail,
): Promise<void> {
  const failure = await trySending(deps, projectId, mail);
  const now = toInstant(deps.clock.nowMs());
  if (failure !== undefined) deps.onFailure(failure);
  const isFinal = failure instanceof MailError && failure.final;
  const nextAt = isFinal ? null : nextMailTry(mail.tries, now);
  await deps.database.transaction(async (tx) => {
    if (failure === undefined) updateMailSent(tx, projectId, mail, now);
    else updateMailFailed(tx, projectId, mail, { now, nextAt });
  });
}

async function trySending(
  deps: MailWorkerDeps,
  projectId: string,
  mail: ClaimedMail,
): Promise<unknown> {
  // The process ended during the last attempt, before it recorded the result.
  if (mail.tries > MAIL_TRIES_MAX)
    return new MailError('No attempts are left for this mail.', true);
  const nowMs = deps.clock.nowMs();
  const now = toInstant(nowMs);
  const subject = { projectId, applicationId: mail.applicationId, email: mail.email };
  try {
    const program = await findProgram(deps.database.reads, projectId, mail.programId, now);
    if (!program) throw new Error('An application names a program that does not exist.');
    const link = toProofUrl(deps.baseUrl, makeProofToken(deps.keyring, subject, nowMs));
    await deps.mailer.send(writeProofMail(mail.email, program.name, link));
    return undefined;
  } catch (error) {
    return error;
  }
}

/**
 * Contains nothing that the applicant wrote: anyone may enter a stranger's address, and must not be
 * able to send that stranger their own words in our name.
 */
export function writeProofMail(to: string, programName: string, link: string): Mail {
  return writeLinkMail({
    to,
    subject: `Confirm your e-mail address for ${programName}`,
    lead: `Someone applied to join “${programName}” as a partner with this e-mail address.`,
    ask: 'If it was you, confirm that the address is yours:',
    button: 'Confirm e-mail address',
    link,
    end: `The link works for ${PROOF_DAYS} days. If this was not you, you can ignore this mail; the application cannot be approved without your confirmation.`,
  });
}
