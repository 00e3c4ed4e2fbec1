import { randomUUID } from 'node:crypto';

// The shop's own data, in memory. Yours is in your database.

/** @typedef {{ readonly id: string, readonly name: string, creditMinor: bigint }} User */

/** @type {Map<string, User>} */
const users = new Map();
/** @type {Map<string, string>} The user of each session. */
const sessions = new Map();
/** @type {Set<string>} */
const orders = new Set();
/** @type {Set<string>} The rewards that were granted. */
const granted = new Set();

/** @param {string} name */
export function createUser(name) {
  /** @type {User} */
  const user = { id: randomUUID(), name, creditMinor: 0n };
  const session = randomUUID();
  users.set(user.id, user);
  sessions.set(session, user.id);
  return { user, session };
}

/** @param {string | undefined} cookie The text of the header. */
export function findUser(cookie) {
  const session = /(?:^|; )session=([^;]+)/.exec(cookie ?? '')?.[1] ?? '';
  return users.get(sessions.get(session) ?? '') ?? null;
}

/**
 * False if the order is known: the button was pressed twice.
 * @param {string} orderId
 */
export function placeOrder(orderId) {
  if (orders.has(orderId)) return false;
  orders.add(orderId);
  return true;
}

/**
 * Adds a reward to somebody's credit, once, however often its webhook arrives. False if there is
 * nobody to grant it to.
 * @param {string} rewardId
 * @param {string | null} userId
 * @param {bigint} amountMinor
 */
export function grant(rewardId, userId, amountMinor) {
  const user = users.get(userId ?? '');
  if (!user) return false;
  if (!granted.has(rewardId)) user.creditMinor += amountMinor;
  granted.add(rewardId);
  return true;
}
