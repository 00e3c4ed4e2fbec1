import { randomUUID } from 'node:crypto';

// The shop's own data, in memory. Yours is in your database.

export interface User {
  readonly id: string;
  readonly name: string;
  creditMinor: bigint;
}

const makeStore = () => ({
  users: new Map<string, User>(),
  /** The user of each session. */
  sessions: new Map<string, string>(),
  orders: new Set<string>(),
  /** The rewards that were granted. */
  granted: new Set<string>(),
});

// Next may load this module once for the pages and once for the routes.
const place = globalThis as { shop?: ReturnType<typeof makeStore> };
place.shop ??= makeStore();
const { users, sessions, orders, granted } = place.shop;

export function createUser(name: string): { user: User; session: string } {
  const user: User = { id: randomUUID(), name, creditMinor: 0n };
  const session = randomUUID();
  users.set(user.id, user);
  sessions.set(session, user.id);
  return { user, session };
}

export function findUser(session: string | undefined): User | null {
  return users.get(sessions.get(session ?? '') ?? '') ?? null;
}

/** False if the order is known: the button was pressed twice. */
export function placeOrder(orderId: string): boolean {
  if (orders.has(orderId)) return false;
  orders.add(orderId);
  return true;
}

/**
 * Adds a reward to somebody's credit, once, however often its webhook arrives. False if there is
 * nobody to grant it to.
 */
export function grant(rewardId: string, userId: string | null, amountMinor: bigint): boolean {
  const user = users.get(userId ?? '');
  if (!user) return false;
  if (!granted.has(rewardId)) user.creditMinor += amountMinor;
  granted.add(rewardId);
  return true;
}
