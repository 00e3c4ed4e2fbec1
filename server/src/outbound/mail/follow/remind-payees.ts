import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { ProjectRef, WriteRequest } from '../../../platform/http/access/principal.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import { addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';
import { readMailbox } from '../../../platform/kit/mailbox.ts';
import { type MailRouteDeps, notSetUp } from '../mail-deps.ts';
import type { Reminders, RemindPayees } from '../schema.ts';
import { findAddresses } from '../send/find-addresses.ts';
import { hashAddress } from '../send/hash-address.ts';
import { listBounces, listOptOuts } from '../send/mail-store.ts';
import { findSettings } from '../settings/settings-store.ts';
import {
  decideReminders,
  type Payee,
  type ReminderPlan,
  summarizeSkipped,
} from './decide-reminders.ts';
import { insertMails, listLastMails, listWaitingPayees, type NewMail } from './outbox-store.ts';

const REMINDER_PAUSE_MS = 7 * DAY_MS;
const REMINDED_MAX = 500;
const KIND = 'payout_details_missing';

/**
 * Mails people who have earned cash and have no payout details, each at most once a week. A repeat reminds
 * nobody again. With `dryRun` nobody is mailed. Fails with CONFLICT `mail_not_set_up`.
 */
export async function remindPayees(
  deps: MailRouteDeps,
  project: ProjectRef,
  request: WriteRequest,
  { participantIds, dryRun }: RemindPayees,
): Promise<Reminders> {
  const { reads } = deps.database;
  const asked = participantIds ?? null;
  const waiting = await findWaiting(deps, project.id, asked);
  const now = await projectNow(reads, deps.clock, project);
  const payees = await judgePayees(deps, reads, project.id, { waiting, now });
  if (dryRun) {
    await checkSender(deps, reads, project.id);
    return toAnswer(decideReminders(payees, asked, REMINDED_MAX));
  }
  // Everybody was judged before the lock. Under it, only those who may be mailed now are judged again.
  const plan = decideReminders(payees, asked, REMINDED_MAX + 1);
  const open = new Set(plan.chosen.map(({ participantId }) => participantId));
  const candidates = waiting.filter(({ participantId }) => open.has(participantId));
  const answer = await deps.writer.run<Reminders>(request, async (write) => {
    const { tx, now } = write;
    await checkSender(deps, tx, project.id);
    const again = await judgePayees(deps, tx, project.id, { waiting: candidates, now });
    const last = decideReminders(again, null, REMINDED_MAX);
    await writeReminders(write, request, last.chosen);
    const skipped = [...plan.skipped, ...last.skipped];
    return { answer: toAnswer({ ...last, skipped, isMore: last.isMore || plan.isMore }) };
  });
  deps.onMailDue();
  return answer;
}

function toAnswer({ chosen, skipped, isMore }: ReminderPlan): Reminders {
  const reminded = chosen.map(({ participantId }) => participantId);
  return { reminded, ...summarizeSkipped(skipped), isMore };
}

async function checkSender({ mailer }: MailRouteDeps, db: Queryable, projectId: string) {
  const settings = await findSettings(db, projectId);
  if (mailer === null || !settings?.sender) throw notSetUp(mailer);
}

async function writeReminders(
  write: ProjectWrite,
  request: WriteRequest,
  chosen: readonly Payee[],
): Promise<void> {
  if (chosen.length === 0) return;
  const { tx, projectId, now, realNow, newId } = write;
  const mails = chosen.map(
    ({ participantId: recipientId, programId }): NewMail => ({
      id: newId('mail'),
      kind: KIND,
      factId: now,
      recipientId,
      programId,
      data: {},
      projectTime: now,
    }),
  );
  await insertMails(tx, projectId, mails, realNow);
  recordAudit(write, request, {
    action: 'payouts.remind',
    targetType: 'project',
    targetId: projectId,
    changes: { reminded: chosen.length },
  });
}

type WaitingPayee = Pick<Payee, 'participantId' | 'programId'>;

async function findWaiting(
  { database: { reads }, findPayable }: MailRouteDeps,
  projectId: string,
  asked: readonly string[] | null,
): Promise<WaitingPayee[]> {
  const waiting = await listWaitingPayees(reads, projectId, asked);
  const payable = await findPayable(projectId, [...waiting.keys()]);
  return [...waiting]
    .filter(([id]) => !payable.has(id))
    .map(([participantId, programId]) => ({ participantId, programId }));
}

/** Adds what says whether each of them can be mailed now. */
async function judgePayees(
  { keyring }: MailRouteDeps,
  db: Queryable,
  projectId: string,
  { waiting, now }: { readonly waiting: readonly WaitingPayee[]; readonly now: Instant },
): Promise<Payee[]> {
  const ids = waiting.map(({ participantId }) => participantId);
  const since = addMs(now, -REMINDER_PAUSE_MS);
  const lately = await listLastMails(db, projectId, ids, { kind: KIND, since });
  const addresses = await findAddresses(db, projectId, ids);
  const optOuts = new Set(await listOptOuts(db, projectId, ids, KIND));
  const bounces = groupBy(await listBounces(db, projectId, ids), (one) => one.recipientId);
  const hasBounced = (id: string, address: string) =>
    bounces.get(id)?.some((one) => one.addressHash === hashAddress(keyring, address)) ?? false;
  return waiting.map(({ participantId: id, programId }) => ({
    participantId: id,
    programId,
    wasRemindedLately: lately.has(id),
    hasAddress: addresses.has(id),
    isMailable: readMailbox(addresses.get(id) ?? '') !== null,
    hasOptedOut: optOuts.has(id),
    hasBounced: hasBounced(id, addresses.get(id) ?? ''),
  }));
}
