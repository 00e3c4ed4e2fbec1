import type { FakeAccount } from './account.ts';
import { type Params, textOf } from './form.ts';
import { invalid, missing } from './refusal.ts';

/** A call to the fake Stripe, once it was let in. */
export interface StripeCall {
  readonly account: FakeAccount;
  /** What stands for the `:names` in the path. */
  readonly path: Readonly<Record<string, string>>;
  /** Of the query or the form; never a parameter that the route does not take. */
  readonly params: Params;
}

export interface StripeRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Like `/v1/customers/:customer`. */
  readonly path: string;
  /** The parameters that it takes; any other is refused, as Stripe does. */
  readonly takes: readonly string[];
  run(call: StripeCall): object;
}

export const LIST_PARAMS = ['limit', 'starting_after', 'ending_before'] as const;
const LIMIT_DEFAULT = 10;
const LIMIT_MAX = 100;

/** A page of a list, newest first. `items` are in the order they were made. */
export function pageOf<T extends { readonly id: string }>(
  url: string,
  items: readonly T[],
  params: Params,
): object {
  const limit = Number(textOf(params, 'limit') ?? LIMIT_DEFAULT);
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw invalid('limit', 'Invalid limit.');
  }
  const newestFirst = items.toReversed();
  const indexOf = (name: 'starting_after' | 'ending_before'): number | undefined => {
    const id = textOf(params, name);
    if (id === undefined) return undefined;
    const index = newestFirst.findIndex((item) => item.id === id);
    if (index < 0) throw missing(name, id, 400);
    return index;
  };
  const after = indexOf('starting_after');
  const before = indexOf('ending_before');
  const start = before === undefined ? (after ?? -1) + 1 : Math.max(0, before - limit);
  const data = newestFirst.slice(start, before === undefined ? start + limit : before);
  const hasMore = before === undefined ? start + limit < newestFirst.length : start > 0;
  return { object: 'list', url, has_more: hasMore, data };
}

/** Whole numbers only, as Stripe's amounts are. */
export function integerOf(params: Params, name: string): number | undefined {
  const text = textOf(params, name);
  if (text === undefined) return undefined;
  if (!/^-?\d+$/.test(text)) throw invalid(name, `Invalid integer: ${text}`);
  return Number(text);
}
