import type { Client, Request } from './client.ts';
import type { Parameter } from './document.ts';

/** Part of a list, and whether there is more behind it. */
export interface Page {
  readonly answer: Readonly<Record<string, unknown>>;
  readonly rows: readonly unknown[];
  readonly isMore: boolean;
}

/** The field that tells of a next page, and the parameter that asks for it. */
const WAYS = [
  ['nextCursor', 'cursor'],
  ['nextOffset', 'offset'],
  ['next', 'after'],
] as const;

interface List {
  readonly parameters: readonly Parameter[];
  /** In which its rows are. */
  readonly field: string;
  readonly most: number;
}

/** Page after page of a list, until there are so many rows or no more. */
export async function* readPages(
  client: Pick<Client, 'call'>,
  request: Request,
  { parameters, field, most }: List,
): AsyncGenerator<Page> {
  const sizeMax = parameters.find(({ name }) => name === 'limit')?.schema.maximum ?? null;
  let left = most;
  let query = { ...request.query };
  while (left > 0) {
    // The newest so many are asked for by their number alone.
    const size = sizeMax === null || query.last !== undefined ? null : Math.min(left, sizeMax);
    const limit = size === null ? {} : { limit: String(size) };
    const answer = await client.call<Record<string, unknown>>({
      ...request,
      query: { ...query, ...limit },
    });
    const all = answer[field] as readonly unknown[];
    const rows = all.slice(0, left);
    left -= rows.length;
    const next = query.last === undefined ? nextOf(answer, all.length, size) : null;
    yield { answer, rows, isMore: next !== null || rows.length < all.length };
    if (next === null) return;
    query = { ...query, ...next };
  }
}

function nextOf(
  answer: Readonly<Record<string, unknown>>,
  count: number,
  size: number | null,
): Record<string, string> | null {
  for (const [field, name] of WAYS) {
    const value = answer[field];
    if (typeof value !== 'string') continue;
    // A feed always has a cursor to go on from: there is more behind a full page only.
    const isFull = count > 0 && (size === null || count === size);
    return name !== 'after' || isFull ? { [name]: value } : null;
  }
  return null;
}
