import type { AnyCall, Transport } from './transport.ts';

type Answer = Readonly<Record<string, unknown>>;
type Query = Readonly<Record<string, unknown>>;

/** A list to be read page by page. */
export interface ListCall extends AnyCall {
  /** The field of the answer that holds the rows: `data` unless told. */
  readonly field?: string | undefined;
  /** How many rows to read in all: every one there is unless told. */
  readonly most?: number | undefined;
  /** The most rows that a page of this list can have; as many as the service likes unless told. */
  readonly pageMax?: number | undefined;
}

/** A page of a list. */
export interface ListPage {
  /** As it came, with whatever it has beside the rows. */
  readonly answer: Answer;
  /** Its rows, as far as they were asked for. */
  readonly rows: readonly unknown[];
  /** Whether there are more behind it. */
  readonly isMore: boolean;
}

/** Page after page of a list, until there are as many rows as were asked for, or no more. */
export async function* listPages(
  transport: Pick<Transport, 'send'>,
  operation: string,
  { field = 'data', most = Infinity, pageMax, ...call }: ListCall = {},
): AsyncGenerator<ListPage, void, undefined> {
  let query: Query = { ...call.query };
  for (let left = most; left > 0; ) {
    // The newest so many are asked for by their number alone.
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

/** What asks for the page behind an answer. A page of a narrowed list can be empty though there are more. */
function nextOf(
  { nextCursor, nextOffset, next }: Answer,
  count: number,
  limit: number | undefined,
): Query | null {
  if (nextCursor) return { cursor: nextCursor };
  if (nextOffset) return { offset: nextOffset };
  // It is there behind the last row, too: there is more behind a full page only.
  const isFull = count > 0 && (limit === undefined || count === limit);
  return next && isFull ? { after: next } : null;
}

/** Every row of a list, read page by page as they are asked for. */
export async function* listRows(
  transport: Pick<Transport, 'send'>,
  operation: string,
  call: AnyCall = {},
): AsyncGenerator<unknown, void, undefined> {
  const isReadOn = 'after' in (call.query ?? {});
  for await (const { answer, rows } of listPages(transport, operation, call)) {
    yield* rows;
    // Without a place to read on from, such a list is its newest rows.
    if (answer.next && !isReadOn) return;
  }
}
