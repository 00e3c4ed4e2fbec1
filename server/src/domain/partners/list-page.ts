import { LIMIT_DEFAULT } from '../../platform/http/routes/paging.ts';
import { invalid } from '../../platform/kit/errors.ts';
import { type Instant, parseInstant } from '../../platform/kit/instant.ts';
import type { ApplicationStatus } from './schema.ts';

export interface ListFilter {
  readonly programId: string | null;
  readonly status: ApplicationStatus | null;
}

/** Ids of applications are not ordered by age, so the list is ordered by time, then id. */
interface ListPosition {
  readonly createdAt: Instant;
  readonly id: string;
}

export interface ListPage {
  readonly limit: number;
  /** Rows come newest first, starting after this one; null for the newest. */
  readonly before: ListPosition | null;
}

const CURSOR = /^(\S{24}) (preq_[0-9a-z]{26})$/;

/** Fails with INVALID_REQUEST for an invalid cursor. */
export function toListPage(query: { limit?: number; cursor?: string }): ListPage {
  const limit = query.limit ?? LIMIT_DEFAULT;
  if (query.cursor === undefined) return { limit, before: null };
  const match = CURSOR.exec(Buffer.from(query.cursor, 'base64url').toString('utf8'));
  const createdAt = match?.[1] as Instant;
  if (!match || parseInstant(createdAt) !== createdAt) {
    throw invalid('cursor', 'is not a cursor of this list');
  }
  return { limit, before: { createdAt, id: match[2] as string } };
}

export function toListCursor({ createdAt, id }: ListPosition): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url');
}
