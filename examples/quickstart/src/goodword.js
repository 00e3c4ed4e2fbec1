/** The shop has better things to do than to wait longer. */
const CALL_MS = 5_000;

/** Goodword has read the call and said no: sending it again would not help. */
export class Refused extends Error {}

/**
 * @typedef {object} GoodwordSettings
 * @property {string} goodwordUrl
 * @property {string} key An API key with `track:write`, `referrals:read` and `rewards:write`.
 * @property {string} projectId
 * @property {string} sourceId What registering the shop as a source returned.
 */
/** @typedef {{ rewardId: string, rateBps: number }} Discount */
/** @typedef {import('./shop.js').Order} Order */
/** @typedef {ReturnType<typeof createGoodword>} Goodword */

/**
 * All that the shop's backend says to Goodword. Every call may be repeated: the same signup, order or
 * grant counts once.
 * @param {GoodwordSettings} settings
 */
export function createGoodword({ goodwordUrl, key, projectId, sourceId }) {
  /**
   * @param {'GET' | 'POST'} method
   * @param {string} path
   * @param {object} [body]
   */
  async function call(method, path, body) {
    const response = await fetch(goodwordUrl + path, {
      method,
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      signal: AbortSignal.timeout(CALL_MS),
      ...(body ? { body: JSON.stringify({ projectId, ...body }) } : {}),
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    const message = `It answered ${response.status}: ${text}`;
    // A wrong key says nothing against what is told: that is kept until the key is mended.
    const isPassing = [401, 403, 429].includes(response.status) || response.status >= 500;
    throw isPassing ? new Error(message) : new Refused(message);
  }

  /** @param {string} personId */
  const participant = (personId) => ({ kind: 'individual', externalId: personId });

  return {
    /**
     * Somebody made an account. `handle` is what the landing script left in the cookie
     * `service_handle`, as it is; left out when there is no such cookie.
     * @param {string} personId
     * @param {string | undefined} handle
     * @returns {Promise<{ eventId: string, attribution: object | null }>}
     */
    signUp: (personId, handle) =>
      call('POST', '/v1/track/events', {
        sourceNamespaceId: sourceId,
        type: 'signup',
        participant: participant(personId),
        ...(handle ? { identify: { handle } } : {}),
      }),

    /**
     * Somebody paid. The order's own id keeps it from counting twice.
     * @param {string} personId
     * @param {Order} order
     */
    buy: (personId, order) =>
      call('POST', '/v1/track/events', {
        sourceNamespaceId: sourceId,
        type: 'purchase',
        participant: participant(personId),
        sourceEventId: order.id,
        purchase: { amountMinor: String(order.amountMinor), currency: order.currency },
      }),

    /**
     * The discount that this signup earned whoever signed up, if it did.
     * @param {string} eventId
     * @returns {Promise<Discount | null>}
     */
    async findDiscount(eventId) {
      const query = new URLSearchParams({ projectId, eventId, beneficiaryRole: 'referee' });
      const { data } = await call('GET', `/v1/rewards?${query}`);
      const reward = data.find((/** @type {any} */ one) => one.benefitKind === 'discount');
      return reward ? { rewardId: reward.id, rateBps: reward.discount.rateBps } : null;
    },

    /**
     * The shop gave somebody what they had earned.
     * @param {string} rewardId
     * @param {string} orderId
     */
    reportGrant: (rewardId, orderId) =>
      call('POST', `/v1/rewards/${encodeURIComponent(rewardId)}/fulfillment`, {
        externalReference: orderId,
      }),
  };
}
