import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { conflict } from '../../../platform/kit/errors.ts';
import { addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';
import type { MailRouteDeps } from '../mail-deps.ts';
import type { Reminders, RemindPayees } from '../schema.ts';
import { findSettings } from '../settings/settings-store.ts';
import { insertMails, listLastMails, listWaitingPayees } from './outbox-store.ts';

const REMINDER_PAUSE_MS = 7 * DAY_MS;
const REMINDED_MAX = 500;
const KIND = 'payout_details_missing';

/**
 * Mails people who have earned cash and have no payout details, each at most once a week. A repeat reminds
 * nobody again. Fails with CONFLICT `mail_not_set_up`.
 */
export async function remindPayees(
  deps: MailRouteDeps,
  request: WriteRequest,
  { participantIds }: RemindPayees,
): Promise<Reminders> {
  const { reads } = deps.database;
  const { projectId } = request;
  const asked = participantIds ?? null;
  const since = (now: Instant) => addMs(now, -REMINDER_PAUSE_MS);
  const waiting = await listWaitingPayees(reads, projectId, asked);
  const payable = await deps.findPayable(projectId, [...waiting.keys()]);
  const answer = await deps.writer.run<Reminders>(request, async (write) => {
    const { tx, realNow: now, newId } = write;
    const settings = await findSettings(tx, projectId);
    if (!settings?.sender || deps.mailer === null) {
      throw conflict('mail_not_set_up', 'Set SMTP_URL and the sender of the Project first.');
    }
    const candidates = [...waiting].filter(([id]) => !payable.has(id));
    const ids = candidates.map(([id]) => id);
    const lately = await listLastMails(tx, projectId, ids, { kind: KIND, since: since(now) });
    const open = candidates.filter(([id]) => !lately.has(id));
    const chosen = open.slice(0, REMINDED_MAX);
    const mails = chosen.map(
      ([recipientId, programId]) =>
        ({
          id: newId('mail'),
          kind: KIND,
          factId: now,
          recipientId,
          programId,
          data: {},
        }) as const,
    );
    await insertMails(tx, projectId, mails, now);
    const reminded = chosen.map(([id]) => id);
    if (reminded.length > 0) {
      recordAudit(write, request, {
        action: 'payouts.remind',
        targetType: 'project',
        targetId: projectId,
        changes: { reminded: reminded.length },
      });
    }
    const skipped = (asked ?? [...lately])
      .filter((id) => !open.some(([one]) => one === id))
      .map((participantId) => {
        const reason = lately.has(participantId) ? 'reminded_lately' : 'not_waiting';
        return { participantId, reason } as const;
      });
    return { answer: { reminded, skipped, isMore: open.length > chosen.length } };
  });
  deps.onMailDue();
  return answer;
}
