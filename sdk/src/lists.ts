import type { AnyCall, Transport } from './transport.ts';

interface Page {
  readonly data: readonly unknown[];
  readonly nextCursor?: string | null;
  readonly nextOffset?: string | null;
  /** Of a list that is read on from where it was left: always there, also behind the last row. */
  readonly next?: string;
}

/** Every row of a list, read page by page as they are asked for. */
export async function* listRows(
  transport: Transport,
  operation: string,
  call: AnyCall = {},
): AsyncGenerator<unknown, void, undefined> {
  let query: object = { ...call.query };
  while (true) {
    const page = (await transport.send(operation, { ...call, query })) as Page;
    yield* page.data;
    // A page of a narrowed list can be empty though there are more.
    if (page.nextCursor) query = { ...call.query, offset: undefined, cursor: page.nextCursor };
    else if (page.nextOffset) query = { ...call.query, offset: page.nextOffset };
    else if ('after' in query && page.next && page.data.length > 0) {
      query = { ...call.query, after: page.next };
    } else return;
  }
}
