// Two months of made-up history, written by the API day by day with the sandbox's clock.
import { signWidgetToken } from '../src/widget-token.js';

export const DAYS = 60;
const DAY_MS = 86_400_000;
const SEED = 20_261_115;

/** Customers who invite friends; those with an account have said where to pay them. */
const REFERRERS = [
  { name: 'Amara', pull: 9, hasAccount: true },
  { name: 'Bruno', pull: 6, hasAccount: true },
  { name: 'Clara', pull: 5, hasAccount: true },
  { name: 'Dmitri', pull: 3, hasAccount: false },
  { name: 'Elena', pull: 2, hasAccount: true },
  { name: 'Farid', pull: 1, hasAccount: false },
];
const PARTNERS = [
  { name: 'Greta', pull: 7 },
  { name: 'Hiro', pull: 4 },
  { name: 'Imani', pull: 2 },
];
const FRIENDS =
  'Jonas Kaya Leo Maya Nils Olga Pablo Quinn Rosa Samir Tara Umar Vera Wanda Xenia Yusuf Zoe Alma Boris Celia Dario Edda Felix Gina Hugo Ines Jana Kofi Lena Milan Nora Oskar Petra Rafi Selma Theo Ursel Viktor Wilma Yara'.split(
    ' ',
  );
const PRICES = ['1200', '1800', '2400', '3600', '4800'];
/** Links count only the clicks of people. */
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const PAGES = ['https://blog.example.com/', 'https://news.example.com/', ''];

/**
 * The same numbers for the same seed (mulberry32).
 * @param {number} seed
 */
function makeRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * What happens on each day, decided before anything is written.
 * @param {readonly { code: string, pull: number }[]} sharers
 */
function planHistory(sharers) {
  const random = makeRandom(SEED);
  /** @template T @param {readonly T[]} list @returns {T} */
  const pick = (list) => /** @type {T} */ (list[Math.floor(random() * list.length)]);
  const urn = sharers.flatMap(({ code, pull }) => Array(pull).fill(code));
  /** @type {{ id: string, name: string }[]} */
  const people = [];
  let orders = 0;
  return Array.from({ length: DAYS }, (_, day) => {
    // More with every week, and less on two days of each.
    const swing = (1 + day / 30) * (day % 7 > 4 ? 0.5 : 1);
    const clicks = Array.from({ length: Math.round((2 + random() * 4) * swing) }, () => ({
      code: pick(urn),
      referrer: pick(PAGES),
    }));
    const signups = Array.from({ length: Math.round(random() * 1.8 * swing) }, () => {
      const id = `friend-${people.length + 1}`;
      const first = /** @type {string} */ (FRIENDS[people.length % FRIENDS.length]);
      const round = Math.floor(people.length / FRIENDS.length);
      const person = { id, name: round === 0 ? first : `${first} ${'BCDEF'[round - 1] ?? 'G'}.` };
      people.push(person);
      // Some come by themselves.
      return { ...person, code: random() < 0.85 ? pick(urn) : null };
    });
    const purchases = people
      .filter(() => random() < 0.04)
      .map(({ id }) => {
        orders += 1;
        const amountMinor = pick(PRICES);
        return { order: `order-${orders}`, id, amountMinor, isReturned: random() < 0.07 };
      });
    return { clicks, signups, purchases };
  });
}

/**
 * @param {import('./set-up.js').Call} call
 * @param {import('../src/server.js').Settings & { partnerProgramId: string }} settings
 */
export async function writeHistory(call, settings) {
  const { projectId, programId, partnerProgramId, sourceId, shopUrl } = settings;
  const start = Date.parse((await call('GET', `/v1/projects/${projectId}/clock`)).data.now);
  const sharers = [];
  for (const { name, pull, hasAccount } of REFERRERS) {
    const id = name.toLowerCase();
    const code = `${id}-shares`;
    await savePerson({ id, name });
    const participant = { kind: 'individual', externalId: id };
    await call('POST', '/v1/referral-codes', { projectId, programId, participant, code });
    if (hasAccount) await saveAccount(id);
    sharers.push({ code, pull });
  }
  for (const { name, pull } of PARTNERS) {
    sharers.push({ code: await admitPartner(name), pull });
  }
  for (const [day, { clicks, signups, purchases }] of planHistory(sharers).entries()) {
    const now = new Date(start + (day + 1) * DAY_MS).toISOString();
    await call('PUT', `/v1/projects/${projectId}/clock`, { now });
    await Promise.all(clicks.map(saveClick));
    await Promise.all(signups.map(savePerson));
    const events = [
      ...signups.map(({ id, code }) => ({
        ...eventOf('signup', id),
        ...(code === null ? {} : { refCode: code }),
      })),
      ...purchases.map(({ order, id, amountMinor }) => ({
        ...eventOf('purchase', id),
        sourceEventId: order,
        occurredAt: now,
        purchase: { amountMinor, currency: 'USD', currencyExponent: 2 },
      })),
    ];
    if (events.length > 0) await call('POST', '/v1/track/events/batch', { projectId, events });
    for (const { order, amountMinor, isReturned } of purchases) {
      if (isReturned) await saveReturn(order, amountMinor, now);
    }
    if (day === 29 || day === 49) await payOut(day);
  }
  await grantSome();

  /** @param {{ id: string, name: string }} person */
  async function savePerson({ id, name }) {
    await call('PUT', '/v1/participants', {
      projectId,
      participant: { kind: 'individual', externalId: id },
      name,
      // Of the name, not the id: addresses that differ by digits only are a sign of fraud.
      email: `${name
        .toLowerCase()
        .replace(/[^a-z]+/g, ' ')
        .trim()
        .replace(' ', '.')}@example.com`,
    });
  }

  /** @param {string} id */
  async function saveAccount(id) {
    const token = signWidgetToken(settings, id);
    const details = { type: 'paypal', email: `${id}@example.com` };
    await call('PUT', '/v1/widget/payout-details', { projectId, details }, { token });
  }

  /** @param {string} name @returns {Promise<string>} The code that the partner shares. */
  async function admitPartner(name) {
    const applied = await call('POST', '/v1/partner-applications', {
      projectId,
      programId: partnerProgramId,
      name,
      email: `${name.toLowerCase()}@example.com`,
      profileType: 'individual',
      country: 'DE',
    });
    const { id } = applied.data;
    await proveAddress(id);
    const approved = await call('POST', `/v1/partner-applications/${id}/approve`, { projectId });
    const { participantId } = approved.data;
    const shown = await call('GET', `/v1/participants/${participantId}?projectId=${projectId}`);
    return shown.data.refCodes[0].code;
  }

  /**
   * Without mail, operators pass on the link that proves an address. It leads to a page with a form.
   * @param {string} applicationId
   */
  async function proveAddress(applicationId) {
    const list = await call('GET', `/v1/partner-applications?projectId=${projectId}`);
    const { verificationUrl } = list.data.find(
      (/** @type {{ id: string }} */ { id }) => id === applicationId,
    );
    const url = new URL(verificationUrl);
    const page = await (await fetch(url)).text();
    const digest = /name="digest" value="([^"]*)"/.exec(page)?.[1] ?? '';
    const token = url.searchParams.get('token') ?? '';
    const body = new URLSearchParams({ token, digest });
    await fetch(`${url.origin}${url.pathname}`, { method: 'POST', body });
  }

  /**
   * As a visitor's browser does: follows the link, and calls as the landing script.
   * @param {{ code: string, referrer: string }} click
   */
  async function saveClick({ code, referrer }) {
    const { goodwordUrl, projectKey } = settings;
    const followed = await fetch(`${goodwordUrl}/l/${projectKey}/${code}`, {
      redirect: 'manual',
      headers: { 'user-agent': BROWSER },
    });
    const url = new URL(followed.headers.get('location') ?? shopUrl);
    const click = url.searchParams.get('service_click') ?? undefined;
    const body = { projectKey, click, ref: code, url: url.href };
    await call('POST', '/v1/clicks', referrer === '' ? body : { ...body, referrer }, {
      origin: shopUrl,
    });
  }

  /** @param {string} type @param {string} externalId */
  function eventOf(type, externalId) {
    return {
      sourceNamespaceId: sourceId,
      type,
      participant: { kind: 'individual', externalId },
    };
  }

  /** @param {string} order @param {string} amountMinor @param {string} occurredAt */
  async function saveReturn(order, amountMinor, occurredAt) {
    await call('POST', '/v1/track/adjustments', {
      projectId,
      sourceNamespaceId: sourceId,
      sourceEventId: `return-of-${order}`,
      purchase: { sourceEventId: order },
      kind: 'refund',
      amountMinor,
      currency: 'USD',
      currencyExponent: 2,
      occurredAt,
    });
  }

  /** @param {number} day */
  async function payOut(day) {
    const drafted = await call('POST', '/v1/payout-batches', {
      projectId,
      method: 'manual_export',
    });
    const path = `/v1/payout-batches/${drafted.data.id}`;
    await call('POST', `${path}/approve`, { projectId });
    await call('POST', `${path}/submit`, { projectId });
    const list = `/v1/payouts?projectId=${projectId}&batchId=${drafted.data.id}&limit=100`;
    for (const [index, { id }] of (await call('GET', list)).data.entries()) {
      const reference = `BANK-${day + 1}-${index + 1}`;
      await call('POST', `/v1/payouts/${id}/result`, { projectId, outcome: 'paid', reference });
    }
  }

  /** The shop has granted most of what it grants itself; the newest still waits. */
  async function grantSome() {
    const query = `projectId=${projectId}&fulfillmentStatus=pending&deliveryMethod=operator&limit=100`;
    const rewards = (await call('GET', `/v1/rewards?${query}`)).data;
    for (const { id } of rewards.slice(5)) {
      const body = { projectId, externalReference: `shop-${id.slice(-8)}` };
      await call('POST', `/v1/rewards/${id}/fulfillment`, body);
    }
  }
}
