import Type, { type Static, type TSchema } from 'typebox';
import { invalid } from '../../kit/errors.ts';
import type { IdPrefix } from '../../kit/ids.ts';
import { Nullable } from '../../kit/schema.ts';

/** Default page size of a list with a cursor. */
export const LIMIT_DEFAULT = 50;
const ID = /^[a-z]+_[0-9a-z]{26}$/;

/** Query of a list that continues after the last row seen: the last page costs the same as the first. */
export const cursorQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: LIMIT_DEFAULT,
      description: 'Page size.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: '`nextCursor` of the previous page.',
    }),
  ),
};

const CursorQuery = Type.Object(cursorQuery);

export interface CursorPage {
  readonly limit: number;
  /** Rows come in descending order of id, starting below this one; null for the newest. */
  readonly beforeId: string | null;
}

/** The same for a list in descending order of numbers. */
export interface NumberPage {
  readonly limit: number;
  /** Starts below this one; null for the newest. */
  readonly below: number | null;
}

/** `prefix` is that of the list's ids: a cursor of another list is refused. */
export function toCursorPage(query: Static<typeof CursorQuery>, prefix: IdPrefix): CursorPage {
  const limit = query.limit ?? LIMIT_DEFAULT;
  if (query.cursor === undefined) return { limit, beforeId: null };
  const beforeId = Buffer.from(query.cursor, 'base64url').toString('utf8');
  if (!ID.test(beforeId) || !beforeId.startsWith(`${prefix}_`))
    throw invalid('cursor', 'is not a cursor of this list');
  return { limit, beforeId };
}

/** Stores return `limit + 1` rows; the extra one shows that there is a next page. */
export function pageOf<R extends { readonly id: string }, T>(
  rows: readonly R[],
  page: CursorPage,
  present: (row: R) => T,
): { success: true; data: T[]; nextCursor: string | null } {
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    success: true,
    data: shown.map(present),
    nextCursor:
      rows.length > page.limit && last ? Buffer.from(last.id).toString('base64url') : null,
  };
}

export const CursorList = <T extends TSchema>(item: T) =>
  Type.Object({
    success: Type.Literal(true),
    data: Type.Array(item),
    nextCursor: Nullable(Type.String()),
  });

/** Lists whose pages end at a number: the next page continues below it. */
type List = 'rewards' | 'deliveries' | 'payouts';

export function encodeNumberCursor(list: List, projectId: string, number: number): string {
  return Buffer.from(`${list} ${projectId} ${number}`).toString('base64url');
}

/**
 * Fails with INVALID_REQUEST for a cursor of another list or Project, whose numbers mean nothing here,
 * or none at all.
 */
export function decodeNumberCursor(list: List, projectId: string, cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const [name, owner, number = '', ...rest] = text.split(' ');
  const isOwn = name === list && owner === projectId && rest.length === 0;
  if (!isOwn || !/^[1-9][0-9]{0,14}$/.test(number)) {
    throw invalid('cursor', 'is not a cursor of this list');
  }
  return Number(number);
}

export const PAGE_SIZE = 50;

/** The paging fields of lists that page by offset. */
export interface OffsetPage {
  readonly hasMore: boolean;
  readonly nextOffset: string | null;
}

/**
 * The numbers of a page in a list numbered 1 to `length` without gaps, newest first: above `above`,
 * up to `upTo`. Beyond the end the range is empty.
 */
export function pageRange(length: number, offset: number): { above: number; upTo: number } {
  const upTo = Math.max(0, length - offset);
  return { above: Math.max(0, upTo - PAGE_SIZE), upTo };
}

export function offsetPage(length: number, offset: number): OffsetPage {
  const next = offset + PAGE_SIZE;
  const hasMore = next < length;
  return { hasMore, nextOffset: hasMore ? String(next) : null };
}
