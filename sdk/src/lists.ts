import type { AnyCall, Transport } from './transport.ts';

type Answer = Readonly<Record<string, unknown>>;
type Query = Readonly<Record<string, unknown>>;

/** A list to be read page by page. */
export interface ListCall extends AnyCall {
  /** The field of the answer that contains the rows (default `data`). */
  readonly field?: string | undefined;
  /** The maximum number of rows (default all). */
  readonly most?: number | undefined;
  /** The maximum page size of this list (default the service's). */
  readonly pageMax?: number | undefined;
}

/** A page of a list. */
export interface ListPage {
  /** As received, with the fields next to the rows. */
  readonly answer: Answer;
  /** Its rows, up to the requested number. */
  readonly rows: readonly unknown[];
  /** Whether there are more pages. */
  readonly isMore: boolean;
}

/** The pages of a list, until the requested number of rows or the end is reached. */
export async function* listPages(
  transport: Pick<Transport, 'send'>,
  operation: string,
  { field = 'data', most = Infinity, pageMax, ...call }: ListCall = {},
): AsyncGenerator<ListPage, void, undefined> {
  let query: Query = { ...call.query };
  for (let left = most; left > 0; ) {
    // The newest rows are requested by number alone.
    const isNewest = query.last !== undefined;
    const limit = pageMax === undefined || isNewest ? undefined : Math.min(left, pageMax);
    const asked = limit === undefined ? query : { ...query, limit };
    const answer = (await transport.send(operation, { ...call, query: asked })) as Answer;
    const all = answer[field] as readonly unknown[];
    const rows = all.slice(0, left);
    left -= rows.length;
    const next = isNewest ? null : nextOf(answer, all.length, limit);
    yield { answer, rows, isMore: next !== null || rows.length < all.length };
    if (next === null) return;
    query = { ...query, offset: undefined, ...next };
  }
}

/**
 * The request for the page after an answer. A page of a filtered list can be empty although more
 * follow.
 */
function nextOf(
  { nextCursor, nextOffset, next }: Answer,
  count: number,
  limit: number | undefined,
): Query | null {
  if (nextCursor) return { cursor: nextCursor };
  if (nextOffset) return { offset: nextOffset };
  // `next` exists after the last row as well: only after a full page may there be more.
  const isFull = count > 0 && (limit === undefined || count === limit);
  return next && isFull ? { after: next } : null;
}

/** Every row of a list, read page by page on demand. */
export async function* listRows(
  transport: Pick<Transport, 'send'>,
  operation: string,
  call: AnyCall = {},
): AsyncGenerator<unknown, void, undefined> {
  const isReadOn = 'after' in (call.query ?? {});
  for await (const { answer, rows } of listPages(transport, operation, call)) {
    yield* rows;
    // Without a cursor to continue from, such a list consists of its newest rows.
    if (answer.next && !isReadOn) return;
  }
}
