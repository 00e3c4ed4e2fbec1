import { combineReads } from './combine-reads.ts';
import type { Tx } from './database.ts';

type Rows = readonly Record<string, unknown>[];

/** A statement that a part waits for, or has sent. */
interface Pending {
  readonly kind: 'query' | 'send' | 'lists';
  readonly text: string;
  readonly params: readonly unknown[];
  resolve(rows: Promise<Rows>): void;
}

/**
 * Runs several parts in one transaction, each as if it had one of its own: they must not read or write
 * the same rows. What they ask for before the next tick is sent together, and statements with the same
 * text as one. Each part sees its own statements in their order. Fails, after all parts have ended,
 * with the error of the first part that failed.
 */
export async function shareTransaction<T>(
  tx: Tx,
  parts: readonly ((part: Tx) => Promise<T>)[],
): Promise<T[]> {
  const waiting: Pending[][] = parts.map(() => []);
  let isFlushing = false;
  const flush = () => {
    isFlushing = false;
    for (const group of inOrder(waiting.map((queue) => queue.splice(0)))) sendGroup(tx, group);
  };
  const add = (index: number, pending: Pending) => {
    waiting[index]?.push(pending);
    if (isFlushing) return;
    isFlushing = true;
    // After every promise that is due: each part has then sent all it can without an answer.
    process.nextTick(flush);
  };
  const ended = await Promise.allSettled(
    parts.map((run, index) =>
      run({
        ...tx,
        query: (text: string, params: readonly unknown[] = []) =>
          new Promise((resolve) => add(index, { kind: 'query', text, params, resolve })),
        send: (text: string, params: readonly unknown[] = []) =>
          add(index, { kind: 'send', text, params, resolve: () => undefined }),
        script: () => Promise.reject(new Error('A shared transaction runs no scripts.')),
        sendLists: (text: string, params: readonly unknown[]) =>
          add(index, { kind: 'lists', text, params, resolve: () => undefined }),
      } as unknown as Tx),
    ),
  );
  flush();
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

/**
 * Groups of statements with the same text, in an order that keeps the order of every part: a group is
 * next if no part has something else to do before it. If there is no such group, the first part goes on
 * alone.
 */
export function inOrder<S extends { readonly text: string }>(
  parts: readonly (readonly S[])[],
): S[][] {
  const left = parts.map((part) => [...part]);
  const groups: S[][] = [];
  while (left.some((part) => part.length > 0)) {
    const texts = new Set(left.flatMap((part) => part[0]?.text ?? []));
    const isFirst = (part: readonly S[], text: string) => part[0]?.text === text;
    const ready = [...texts].find((text) =>
      left.every((part) => isFirst(part, text) || part.every((one) => one.text !== text)),
    );
    const taken =
      ready === undefined
        ? left.filter((part) => part.length > 0).slice(0, 1)
        : left.filter((part) => isFirst(part, ready));
    groups.push(taken.map((part) => part.shift() as S));
  }
  return groups;
}

function sendGroup(tx: Tx, group: readonly Pending[]): void {
  const { kind, text } = group[0] as Pending;
  if (kind === 'lists') {
    tx.send(text, joinLists(group.map((one) => one.params as readonly unknown[][])));
    return;
  }
  if (kind === 'send') {
    for (const one of group) tx.send(one.text, one.params);
    return;
  }
  const combined =
    group.length > 1
      ? combineReads(
          text,
          group.map((one) => one.params),
        )
      : null;
  if (!combined) {
    for (const one of group) one.resolve(tx.query(one.text, one.params));
    return;
  }
  const all = tx.query(combined.text, combined.params).then(combined.split);
  for (const [index, one] of group.entries()) one.resolve(all.then((rows) => rows[index] ?? []));
}

/** The lists of each column, one after the other. */
function joinLists(parts: readonly (readonly (readonly unknown[])[])[]): unknown[][] {
  const joined: unknown[][] = (parts[0] ?? []).map(() => []);
  for (const lists of parts) {
    for (const [column, list] of joined.entries()) {
      for (const value of lists[column] as readonly unknown[]) list.push(value);
    }
  }
  return joined;
}
