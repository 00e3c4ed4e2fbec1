import type { Queryable } from '../../platform/db/driver.ts';
import { isHeld, presentCode, presentLink, type ShareBase } from './names/names.ts';
import { listCodes, listEnrollments, listLinks } from './names/sharing-store.ts';
import type { Enrollment, Participant, ReferralCode, ReferralLink } from './schema.ts';
import { listParticipantsById } from './store.ts';

export async function findParticipant(
  db: Queryable,
  projectId: string,
  participantId: string,
): Promise<Participant | undefined> {
  const [participant] = await listParticipantsById(db, projectId, [participantId]);
  return participant;
}

/** The existing participants of these ids, by id. */
export async function findParticipants(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Participant>> {
  if (ids.length === 0) return new Map();
  const rows = await listParticipantsById(db, projectId, [...new Set(ids)]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** All enrollments, codes and links of a participant, oldest first; moved names appear in their new Program. */
export async function findSharing(
  db: Queryable,
  base: ShareBase,
  projectId: string,
  participantId: string,
): Promise<{ enrollments: Enrollment[]; refCodes: ReferralCode[]; links: ReferralLink[] }> {
  const [enrollments, codes] = await Promise.all([
    listEnrollments(db, projectId, participantId),
    listCodes(db, projectId, participantId, null),
  ]);
  const links = await listLinks(
    db,
    projectId,
    codes.map((code) => code.id),
  );
  return {
    enrollments,
    refCodes: codes.filter(isHeld).map((code) => presentCode(base, code)),
    links: links.filter(isHeld).map((link) => presentLink(base, link)),
  };
}
