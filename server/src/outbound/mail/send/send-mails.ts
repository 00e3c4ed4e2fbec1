import { addMs, MINUTE_MS, toInstant } from '../../../platform/kit/instant.ts';
import { readMailbox } from '../../../platform/kit/mailbox.ts';
import { type Mail, MailError } from '../../../platform/mail/mailer.ts';
import { isTeamKind } from '../kinds.ts';
import type { MailSenderDeps } from '../mail-deps.ts';
import { type ComposedMail, composeMail } from './compose-mail.ts';
import { decideHindrance, decideOutcome, type Outcome } from './decide-outcome.ts';
import { hashAddress } from './hash-address.ts';
import {
  claimMails,
  hasBounced,
  hasOptedOut,
  insertBounce,
  listProjectsWithDueMails,
  type MailRow,
  startSending,
  updateInterrupted,
  updateOutcome,
} from './mail-store.ts';

/** Small, so that all finish within the lease even if each takes the mailer's whole timeout. */
const CLAIM_MAX = 5;
const LEASE_MS = 10 * MINUTE_MS;
const PROJECTS_MAX = 100;

/**
 * Sends what is due and returns how many mails it took. Any number of processes may run it. Before a mail is
 * given to the SMTP server, it is recorded as being sent. If the process ends before it records the outcome,
 * the mail is `unknown` and is not sent again.
 */
export async function sendMails(deps: MailSenderDeps, signal: AbortSignal): Promise<number> {
  const { database, clock } = deps;
  const now = () => toInstant(clock.nowMs());
  let taken = 0;
  for (const projectId of await listProjectsWithDueMails(database.reads, now(), PROJECTS_MAX)) {
    if (signal.aborted) return taken;
    const at = now();
    const leaseEnd = addMs(at, LEASE_MS);
    const claimed = await database.transaction(async (tx) => {
      taken += (await updateInterrupted(tx, projectId, at)).length;
      return claimMails(tx, projectId, { now: at, leaseEnd, limit: CLAIM_MAX });
    });
    taken += claimed.length;
    for (const mail of claimed) {
      if (signal.aborted) return taken;
      await sendOne(deps, projectId, mail).catch(deps.onFailure);
    }
  }
  return taken;
}

async function sendOne(deps: MailSenderDeps, projectId: string, mail: MailRow): Promise<void> {
  const composed = await composeMail(deps, projectId, mail);
  const hindrance = composed
    ? await findHindrance(deps, projectId, mail, composed)
    : ({ state: 'dropped', reason: 'no_longer_known' } as const);
  if (!composed || hindrance) {
    const { state, reason } = hindrance ?? { state: 'dropped', reason: null };
    return record(deps, projectId, mail, { state, reason, dueAt: null });
  }
  const at = toInstant(deps.clock.nowMs());
  const addressHash = composed.address && hashAddress(deps.keyring, composed.address);
  const isOurs = await deps.database.transaction((tx) =>
    startSending(tx, projectId, mail.id, mail.tries, at, addMs(at, LEASE_MS), addressHash),
  );
  if (!isOurs) return;
  const fate = await trySending(deps, toMail(deps, mail, composed));
  const outcome = decideOutcome(fate, mail.tries, toInstant(deps.clock.nowMs()));
  await record(deps, projectId, mail, { ...outcome, address: composed.address });
}

async function findHindrance(
  { database: { reads }, keyring }: MailSenderDeps,
  projectId: string,
  { kind, recipientId }: MailRow,
  { address, isSwitchedOn, settings, project, sender }: ComposedMail,
) {
  const addressHash = hashAddress(keyring, address ?? '');
  return decideHindrance({
    // Members of the team know the installation, whose own sender is enough.
    hasSender: sender !== null || isTeamKind(kind),
    address,
    isMailable: readMailbox(address ?? '') !== null,
    isSwitchedOn,
    hasOptedOut: await hasOptedOut(reads, projectId, recipientId, kind),
    hasBounced: await hasBounced(reads, projectId, recipientId, addressHash),
    sandbox: project.environment === 'sandbox' ? settings.sandboxMode : null,
    sandboxAddresses: settings.sandboxAddresses,
  });
}

function toMail({ baseUrl }: MailSenderDeps, { id }: MailRow, composed: ComposedMail): Mail {
  const { subject, text, html, sender, unsubscribeUrl, address } = composed;
  return {
    to: address ?? '',
    subject,
    text,
    html,
    unsubscribeUrl,
    messageId: `<${id}@${new URL(baseUrl).hostname}>`,
    ...(sender === null ? {} : { from: { name: sender.name, address: sender.address } }),
    ...(sender?.replyTo ? { replyTo: sender.replyTo } : {}),
  };
}

async function trySending({ mailer, onFailure }: MailSenderDeps, mail: Mail) {
  try {
    await mailer.send(mail);
    return 'accepted';
  } catch (error) {
    onFailure(error);
    // Any other error leaves open what the server did.
    return error instanceof MailError ? error.fate : 'unknown';
  }
}

async function record(
  { database, clock, keyring }: MailSenderDeps,
  projectId: string,
  mail: MailRow,
  { address = null, ...outcome }: Outcome & { readonly address?: string | null },
): Promise<void> {
  const now = toInstant(clock.nowMs());
  await database.transaction(async (tx) => {
    const isOurs = await updateOutcome(tx, projectId, mail, { ...outcome, now });
    // Nothing is kept about somebody who was erased while the server answered.
    if (isOurs && outcome.state === 'bounced' && address !== null) {
      insertBounce(tx, projectId, mail.recipientId, hashAddress(keyring, address), now);
    }
  });
}
