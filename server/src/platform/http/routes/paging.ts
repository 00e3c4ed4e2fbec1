import Type, { type Static, type TSchema } from 'typebox';
import { invalid } from '../../kit/errors.ts';
import type { IdPrefix } from '../../kit/ids.ts';
import { Nullable, OneOf } from '../../kit/schema.ts';

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
      description:
        '`nextCursor` of the previous page. Send the same filters: a cursor of another list, or with other filters, is refused.',
    }),
  ),
};

const CursorQuery = Type.Object(cursorQuery);

/** Of lists that an index holds in both orders. */
export const orderQuery = {
  order: Type.Optional(
    OneOf(['desc', 'asc'], {
      default: 'desc',
      description: '`desc`: newest first. `asc`: oldest first.',
    }),
  ),
};
export type Order = 'desc' | 'asc';

export interface CursorPage {
  readonly limit: number;
  /** Rows come in descending order of id, starting below this one; null for the newest. */
  readonly beforeId: string | null;
}

/** A page of a list in either order of ids. */
export interface OrderedPage {
  readonly limit: number;
  readonly order: Order;
  /** Rows follow this one; null for the first page. */
  readonly behindId: string | null;
}

/** A page of a list in either order of numbers. */
export interface OrderedNumberPage {
  readonly limit: number;
  readonly order: Order;
  /** Rows follow this one; null for the first page. */
  readonly behind: number | null;
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

const OLDEST = 'oldest ';

/** The same for a list in either order: a cursor of the other order is refused. */
export function toOrderedPage(
  query: Static<typeof CursorQuery> & { readonly order?: Order },
  prefix: IdPrefix,
): OrderedPage {
  const order = query.order ?? 'desc';
  const text = Buffer.from(query.cursor ?? '', 'base64url').toString('utf8');
  if (query.cursor !== undefined && text.startsWith(OLDEST) !== (order === 'asc')) {
    throw invalid('cursor', 'is not a cursor of this list');
  }
  const cursor =
    order === 'asc' && query.cursor !== undefined
      ? Buffer.from(text.slice(OLDEST.length)).toString('base64url')
      : query.cursor;
  const { limit } = query;
  const asked = { ...(limit ? { limit } : {}), ...(cursor === undefined ? {} : { cursor }) };
  const { beforeId, limit: size } = toCursorPage(asked, prefix);
  return { limit: size, order, behindId: beforeId };
}

/** As `pageOf`. */
export function orderedPageOf<R extends { readonly id: string }>(
  rows: readonly R[],
  { limit, order }: OrderedPage,
): { success: true; data: R[]; nextCursor: string | null } {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const text = `${order === 'asc' ? OLDEST : ''}${last?.id}`;
  const nextCursor = rows.length > limit ? Buffer.from(text).toString('base64url') : null;
  return { success: true, data, nextCursor };
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

/** Lists whose pages end at a number: the next page continues below it, or above it if the oldest come first. */
type List =
  | `reviews/${string}`
  | `differences/${string}`
  | 'rewards'
  | 'deliveries'
  | 'payouts'
  | 'events'
  | `${OrderedList}_oldest`;
type OrderedList = 'rewards' | 'payouts' | 'events';

/** The name that a list's cursors have in this order. */
export function cursorList(list: OrderedList, order: Order): List {
  return order === 'asc' ? `${list}_oldest` : list;
}

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
