import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { conflict } from '../../../platform/kit/errors.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import { addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';
import type { MailRouteDeps } from '../mail-deps.ts';
import type { Reminders, RemindPayees } from '../schema.ts';
import { findAddresses } from '../send/find-addresses.ts';
import { hashAddress } from '../send/hash-address.ts';
import { listBounces, listOptOuts } from '../send/mail-store.ts';
import { findSettings } from '../settings/settings-store.ts';
import { decideReminders, type Payee } from './decide-reminders.ts';
import { insertMails, listLastMails, listWaitingPayees } from './outbox-store.ts';

const REMINDER_PAUSE_MS = 7 * DAY_MS;
const REMINDED_MAX = 500;
const KIND = 'payout_details_missing';

/**
 * Mails people who have earned cash and have no payout details, each at most once a week. A repeat reminds
 * nobody again. With `dryRun` nobody is mailed. Fails with CONFLICT `mail_not_set_up`.
 */
export async function remindPayees(
  deps: MailRouteDeps,
  request: WriteRequest,
  { participantIds, dryRun }: RemindPayees,
): Promise<Reminders> {
  const { projectId } = request;
  const asked = participantIds ?? null;
  const waiting = await findWaiting(deps, projectId, asked);
  const answer = await deps.writer.run<Reminders>(request, async (write) => {
    const { tx, now, realNow, newId } = write;
    const settings = await findSettings(tx, projectId);
    if (!settings?.sender || deps.mailer === null) {
      throw conflict('mail_not_set_up', 'Set SMTP_URL and the sender of the Project first.');
    }
    const payees = await judgePayees(tx, projectId, waiting, now);
    const { chosen, skipped, isMore } = decideReminders(payees, asked, REMINDED_MAX);
    const reminded = chosen.map(({ participantId }) => participantId);
    const answer = { reminded, skipped: [...skipped], isMore };
    if (dryRun || reminded.length === 0) return { answer };
    const mails = chosen.map(
      ({ participantId: recipientId, programId }) =>
        ({
          id: newId('mail'),
          kind: KIND,
          factId: now,
          recipientId,
          programId,
          data: {},
          projectTime: now,
        }) as const,
    );
    await insertMails(tx, projectId, mails, realNow);
    recordAudit(write, request, {
      action: 'payouts.remind',
      targetType: 'project',
      targetId: projectId,
      changes: { reminded: reminded.length },
    });
    return { answer };
  });
  if (!dryRun) deps.onMailDue();
  return answer;
}

/** Somebody who waits for payout details, before the reasons that depend on earlier mails. */
interface WaitingPayee {
  readonly participantId: string;
  readonly programId: string;
  /** Null without an address. */
  readonly addressHash: string | null;
}

async function findWaiting(
  { database: { reads }, findPayable, keyring }: MailRouteDeps,
  projectId: string,
  asked: readonly string[] | null,
): Promise<WaitingPayee[]> {
  const waiting = await listWaitingPayees(reads, projectId, asked);
  const payable = await findPayable(projectId, [...waiting.keys()]);
  const open = [...waiting].filter(([id]) => !payable.has(id));
  const addresses = await findAddresses(
    reads,
    projectId,
    open.map(([id]) => id),
  );
  return open.map(([participantId, programId]) => {
    const address = addresses.get(participantId);
    const addressHash = address === undefined ? null : hashAddress(keyring, address);
    return { participantId, programId, addressHash };
  });
}

async function judgePayees(
  tx: Tx,
  projectId: string,
  waiting: readonly WaitingPayee[],
  now: Instant,
): Promise<Payee[]> {
  const ids = waiting.map(({ participantId }) => participantId);
  const since = addMs(now, -REMINDER_PAUSE_MS);
  const lately = await listLastMails(tx, projectId, ids, { kind: KIND, since });
  const optOuts = new Set(await listOptOuts(tx, projectId, ids, KIND));
  const bounces = groupBy(await listBounces(tx, projectId, ids), (one) => one.recipientId);
  return waiting.map(({ participantId, programId, addressHash }) => ({
    participantId,
    programId,
    wasRemindedLately: lately.has(participantId),
    hasAddress: addressHash !== null,
    hasOptedOut: optOuts.has(participantId),
    hasBounced: bounces.get(participantId)?.some((one) => one.addressHash === addressHash) ?? false,
  }));
}
