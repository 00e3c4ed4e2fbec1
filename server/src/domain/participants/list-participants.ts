import type { Queryable } from '../../platform/db/driver.ts';
import { findListLength } from '../../platform/feed/queries.ts';
import {
  type OffsetPage,
  offsetPage,
  PAGE_SIZE,
  pageRange,
} from '../../platform/http/routes/paging.ts';
import type { ListCount } from '../../platform/http/routes/totals.ts';
import { listByExternalId, listByKindNumber, listByNumber } from './queries.ts';
import { type ListedParticipant, PARTICIPANT_KINDS, type ParticipantKind } from './schema.ts';

/**
 * All participants that existed when the walk began, newest first, a page at a time. New ones do
 * not shift the pages.
 */
export async function* walkParticipants(
  db: Queryable,
  projectId: string,
  query: { readonly kind: ParticipantKind | null; readonly externalId: string | null },
  size: number,
): AsyncGenerator<ListedParticipant[]> {
  const { kind, externalId } = query;
  if (externalId !== null) {
    const kinds = kind === null ? PARTICIPANT_KINDS : [kind];
    yield await listByExternalId(db, projectId, kinds, externalId);
    return;
  }
  const list = kind === null ? 'participants' : `participants_${kind}`;
  let upTo = await findListLength(db, projectId, list);
  while (upTo > 0) {
    const range = { above: Math.max(0, upTo - size), upTo };
    yield kind === null
      ? await listByNumber(db, projectId, range)
      : await listByKindNumber(db, projectId, kind, range);
    upTo = range.above;
  }
}

/** One page, newest first. Every page costs the same, however deep. */
export async function listParticipants(
  db: Queryable,
  projectId: string,
  query: {
    readonly kind: ParticipantKind | null;
    readonly externalId: string | null;
    readonly offset: number;
  },
): Promise<OffsetPage & { participants: ListedParticipant[] }> {
  const { kind, externalId, offset } = query;
  if (externalId !== null) {
    const kinds = kind === null ? PARTICIPANT_KINDS : [kind];
    const rows = await listByExternalId(db, projectId, kinds, externalId);
    const participants = rows.slice(offset, offset + PAGE_SIZE);
    return { participants, ...offsetPage(rows.length, offset) };
  }
  const list = kind === null ? 'participants' : `participants_${kind}`;
  const length = await findListLength(db, projectId, list);
  const range = pageRange(length, offset);
  const participants =
    kind === null
      ? await listByNumber(db, projectId, range)
      : await listByKindNumber(db, projectId, kind, range);
  return { participants, ...offsetPage(length, offset) };
}

/** Always exact: the list has a length. */
export async function countParticipants(
  db: Queryable,
  projectId: string,
  {
    kind,
    externalId,
  }: { readonly kind: ParticipantKind | null; readonly externalId: string | null },
): Promise<ListCount> {
  if (externalId !== null) {
    const kinds = kind === null ? PARTICIPANT_KINDS : [kind];
    const rows = await listByExternalId(db, projectId, kinds, externalId);
    return { count: rows.length, isMore: false };
  }
  const list = kind === null ? 'participants' : `participants_${kind}`;
  return { count: await findListLength(db, projectId, list), isMore: false };
}
