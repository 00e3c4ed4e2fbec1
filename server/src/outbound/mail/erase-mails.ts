import type { Database } from '../../platform/db/database.ts';
import { purgeEach } from '../../platform/db/purge-each.ts';
import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import { addMs, DAY_MS, type Instant } from '../../platform/kit/instant.ts';
import { deleteMailsOf, deleteOldMails, listProjectsWithOldMails } from './send/mail-store.ts';

/** Long enough to answer whether somebody was told. */
const MAIL_DAYS = 90;

/** Deletes which mails somebody got, what they unsubscribed from, and the hash of a refused address. */
export async function eraseMails(
  { tx, projectId }: ProjectWrite,
  participantId: string,
): Promise<void> {
  deleteMailsOf(tx, projectId, participantId);
}

/** Deletes at most `limit` old mails per Project; returns how many. */
export async function purgeMails(database: Database, now: Instant, limit: number): Promise<number> {
  const before = addMs(now, -MAIL_DAYS * DAY_MS);
  const projectIds = await listProjectsWithOldMails(database.reads, before);
  return purgeEach(
    database,
    projectIds.map((projectId) => [projectId, before] as const),
    async (tx, projectId) => (await deleteOldMails(tx, projectId, before, limit)).length,
  );
}
