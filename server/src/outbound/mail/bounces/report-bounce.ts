import { findTeam, findTeamMember } from '../../../accounts/users/queries.ts';
import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import { foldText } from '../../../domain/participants/search-keys.ts';
import { searchPeople } from '../../../domain/participants/search-queries.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { ProjectRef, WriteRequest } from '../../../platform/http/access/principal.ts';
import { AppError, conflict, invalid } from '../../../platform/kit/errors.ts';
import { addMs, type Instant, MINUTE_MS, parseInstant } from '../../../platform/kit/instant.ts';
import { isSameAddress, listForms } from '../../../platform/kit/mailbox.ts';
import type { MailRouteDeps } from '../mail-deps.ts';
import type { BounceReport, ReportBounce } from '../schema.ts';
import { findAddresses } from '../send/find-addresses.ts';
import { hashAddress } from '../send/hash-address.ts';
import { hasBounced, insertBounce } from '../send/mail-store.ts';
import { lockMail, updateBounced } from './bounce-store.ts';
import { type Bounce, decideBounce, mailIdOf, withoutAddresses } from './decide-bounce.ts';

/** People who can have the same address. */
const PEOPLE_MAX = 100;
const AHEAD_MAX_MS = 5 * MINUTE_MS;

/**
 * Records a bounce that a provider reported after it had accepted the mail. A hard one stops mails to the address,
 * as if it had been refused at once. A repeat changes nothing. Fails with INVALID_REQUEST, NOT_FOUND, or CONFLICT
 * `mail_not_sent`.
 */
export async function reportBounce(
  deps: MailRouteDeps,
  project: ProjectRef,
  request: WriteRequest,
  input: ReportBounce,
): Promise<BounceReport> {
  const { messageId, email } = input;
  if (messageId) return reportMail(deps, project, request, { ...input, messageId });
  if (!email) throw invalid('messageId', 'is required, or else `email`');
  if (input.kind === 'soft') {
    throw invalid('messageId', 'is required for a soft bounce: an address does not say which mail');
  }
  return reportAddress(deps, project, request, { ...input, email });
}

async function reportMail(
  deps: MailRouteDeps,
  project: ProjectRef,
  request: WriteRequest,
  input: ReportBounce & { readonly messageId: string },
): Promise<BounceReport> {
  const mailId = mailIdOf(input.messageId);
  return deps.writer.run<BounceReport>(request, async (write) => {
    const { tx, projectId, realNow: now } = write;
    const report = toBounce(input, now);
    const mail = mailId === null ? undefined : await lockMail(tx, projectId, mailId);
    if (!mail) {
      throw new AppError('NOT_FOUND', 'No mail of the last 90 days has this Message-ID.');
    }
    const { recipientId } = mail;
    const decision = decideBounce(mail, report);
    if (decision === 'not_sent') throw conflict('mail_not_sent', 'This mail was not sent.');
    const answer = { mailId: mail.id, recipientCount: 1, isNew: decision !== 'known' };
    if (decision === 'known') return { answer, ...ofParticipant(recipientId) };
    updateBounced(tx, projectId, mail.id, { ...decision, now });
    if (report.kind === 'hard') {
      const hash = mail.addressHash ?? (await findHash(deps, tx, project, recipientId));
      if (hash !== null) insertBounce(tx, projectId, recipientId, hash, now);
    }
    audit(write, request, { targetType: 'mail', targetId: mail.id, kind: report.kind });
    return { answer, ...ofParticipant(recipientId) };
  });
}

async function reportAddress(
  deps: MailRouteDeps,
  project: ProjectRef,
  request: WriteRequest,
  input: ReportBounce & { readonly email: string },
): Promise<BounceReport> {
  const found = await findRecipients(deps, project, input.email);
  return deps.writer.run<BounceReport>(request, async (write) => {
    const { tx, projectId, realNow: now } = write;
    toBounce(input, now);
    // Somebody may have been erased since, or have another address.
    const recipients = await keepMatching(tx, project, found, input.email);
    if (recipients.size === 0) {
      throw new AppError(
        'NOT_FOUND',
        'No participant, partner or member of the team has this address.',
      );
    }
    let isNew = false;
    for (const [recipientId, address] of recipients) {
      const hash = hashAddress(deps.keyring, address);
      if (await hasBounced(tx, projectId, recipientId, hash)) continue;
      isNew = true;
      insertBounce(tx, projectId, recipientId, hash, now);
      audit(write, request, { targetType: 'recipient', targetId: recipientId, kind: input.kind });
    }
    const [first = ''] = recipients.keys();
    const answer = { mailId: null, recipientCount: recipients.size, isNew };
    return { answer, ...ofParticipant(first) };
  });
}

/** Fails with INVALID_REQUEST for a time in the future. */
function toBounce({ kind, occurredAt, diagnostic }: ReportBounce, now: Instant): Bounce {
  const at = occurredAt ? (parseInstant(occurredAt) as Instant) : now;
  if (at > addMs(now, AHEAD_MAX_MS)) throw invalid('occurredAt', 'is in the future');
  return { kind, at, diagnostic: diagnostic ? withoutAddresses(diagnostic) : null };
}

/** A kept answer goes with the person whom it is about. */
function ofParticipant(recipientId: string) {
  return recipientId.startsWith('par_') ? { participantId: recipientId } : {};
}

/** Everybody in the Project, and in the team, who may have this address now. */
async function findRecipients(
  { database: { reads } }: MailRouteDeps,
  project: ProjectRef,
  email: string,
): Promise<string[]> {
  const keys = new Set(listForms(email).map(foldText));
  const options = { withPartners: true, limit: PEOPLE_MAX };
  const found = await Promise.all(
    [...keys].map((key) => searchPeople(reads, project.id, key, options)),
  );
  const team = await findTeam(reads, project.workspaceId);
  return [...new Set([...found.flat(), ...team].map(({ id }) => id))];
}

/** Those of these people who have this address now, and how it is written there. */
async function keepMatching(
  db: Queryable,
  project: ProjectRef,
  ids: readonly string[],
  email: string,
): Promise<Map<string, string>> {
  const people = await findAddresses(db, project.id, ids);
  const team = await findTeam(db, project.workspaceId);
  const addresses = new Map([...people, ...team.map((one) => [one.id, one.email] as const)]);
  const kept = ids.flatMap((id): [string, string][] => {
    const address = addresses.get(id);
    return address !== undefined && isSameAddress(address, email) ? [[id, address]] : [];
  });
  return new Map(kept);
}

/** Of the address that the recipient of an early mail has now; null if there is none. */
async function findHash(
  { keyring }: MailRouteDeps,
  tx: Tx,
  project: ProjectRef,
  recipientId: string,
): Promise<string | null> {
  const person = (await findAddresses(tx, project.id, [recipientId])).get(recipientId);
  const address =
    person ?? (await findTeamMember(tx, project.workspaceId, recipientId))?.email ?? null;
  return address === null ? null : hashAddress(keyring, address);
}

function audit(
  write: ProjectWrite,
  request: WriteRequest,
  bounced: { readonly targetType: string; readonly targetId: string; readonly kind: string },
): void {
  const { targetType, targetId, kind } = bounced;
  recordAudit(write, request, { action: 'mail.bounce', targetType, targetId, changes: { kind } });
}
