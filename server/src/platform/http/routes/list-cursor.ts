import { timingSafeEqual } from 'node:crypto';
import type { TSchema } from 'typebox';
import { canonicalJson } from '../../kit/canonical-json.ts';
import { invalid } from '../../kit/errors.ts';
import type { Keyring } from '../../kit/keyring.ts';
import type { Route } from './route.ts';

const SEAL_BYTES = 12;
/** What may differ from page to page. */
const PAGING = new Set(['cursor', 'limit', 'offset']);

type Fields = Readonly<Record<string, unknown>>;

/** Whether the cursors of a list are sealed here. The Widget seals its own, for one participant. */
export function hasListCursor({ access, query }: Pick<Route, 'access' | 'query'>): boolean {
  return access.by !== 'widget' && query?.properties.cursor !== undefined;
}

/**
 * The list that a cursor belongs to: the route, what its path names, the Project or Workspace, and all filters.
 * A filter with its default value is the same as none.
 */
export function listOf(
  { path, query: schema }: Pick<Route, 'path' | 'query'>,
  params: Fields,
  query: Fields,
): string {
  const filters = Object.entries(query).filter(([name, value]) => {
    const { default: unset } = (schema?.properties[name] ?? {}) as TSchema & { default?: unknown };
    return !PAGING.has(name) && value !== unset;
  });
  return canonicalJson([path, params, Object.fromEntries(filters)]);
}

/** `position` is what the list itself made; only the list that it was made for takes the cursor. */
export function sealCursor(keyring: Keyring, list: string, position: string): string {
  return `${position}.${seal(keyring, list, position).toString('base64url')}`;
}

/** The position in a cursor. Fails with INVALID_REQUEST for a cursor of another list. */
export function openCursor(keyring: Keyring, list: string, cursor: string): string {
  const end = cursor.lastIndexOf('.');
  const position = cursor.slice(0, Math.max(0, end));
  const expected = Buffer.from(sealCursor(keyring, list, position));
  const sent = Buffer.from(cursor);
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
    throw invalid('cursor', 'is not a cursor of this list with these filters');
  }
  return position;
}

function seal(keyring: Keyring, list: string, position: string): Buffer {
  return keyring.hmac('list-cursor', `${list}\n${position}`).subarray(0, SEAL_BYTES);
}

/** The query with the list's own position instead of the cursor. */
export function openQuery<Q extends Fields>(keyring: Keyring, list: string, query: Q): Q {
  const { cursor } = query;
  return typeof cursor === 'string'
    ? { ...query, cursor: openCursor(keyring, list, cursor) }
    : query;
}

/** The response with a cursor instead of the list's own position. */
export function sealAnswer(keyring: Keyring, list: string, answer: unknown): unknown {
  const { nextCursor } = answer as { nextCursor?: unknown };
  return typeof nextCursor === 'string'
    ? { ...(answer as object), nextCursor: sealCursor(keyring, list, nextCursor) }
    : answer;
}
