import { setTimeout as sleep } from 'node:timers/promises';
import { Goodword } from '@goodword/sdk';
import { settings } from './settings.js';

// Plays Ada and her friend Bob, each with a browser, and waits for what Ada earns.
const { goodwordUrl, apiKey, projectId, projectKey, programId, shopUrl } = settings;
const goodword = new Goodword({ url: goodwordUrl, apiKey, projectId });
const BROWSER = { accept: 'text/html', 'user-agent': 'Mozilla/5.0' };

/**
 * @param {string} path
 * @param {string} cookie
 * @param {Record<string, string>} [form]
 */
async function visit(path, cookie, form) {
  const answer = await fetch(shopUrl + path, {
    ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    headers: { ...BROWSER, cookie },
    redirect: 'manual',
  });
  if (answer.status >= 400) throw new Error(`${path} answered ${answer.status}.`);
  const set = answer.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
  return { text: await answer.text(), cookie: set.join('; ') };
}

/**
 * @param {string} what
 * @param {() => Promise<boolean>} isDone
 */
async function waitFor(what, isDone) {
  for (const deadline = Date.now() + 30_000; !(await isDone()); await sleep(100)) {
    if (Date.now() > deadline) throw new Error(`After half a minute: not ${what}.`);
  }
  console.log(what);
}

// Ada signs up. The widget on her page shows her link, which it gets with this call.
const ada = (await visit('/sign-up', '', { name: 'Ada' })).cookie;
const { text: token } = await visit('/widget-token', ada);
const init = await fetch(`${goodwordUrl}/v1/widget/init`, {
  method: 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ projectId, programId }),
});
const { referral } = /** @type {any} */ (await init.json());
console.log('Ada shares', referral.link);

// Bob follows it. The landing script on the page gets his handle with this call.
const followed = await fetch(referral.link, { headers: BROWSER, redirect: 'manual' });
const landing = new URL(followed.headers.get('location') ?? '');
const clicked = await fetch(`${goodwordUrl}/v1/clicks`, {
  method: 'POST',
  headers: { ...BROWSER, origin: landing.origin, 'content-type': 'application/json' },
  body: JSON.stringify({ projectKey, click: landing.searchParams.get('service_click') }),
});
const { handle } = /** @type {any} */ (await clicked.json());

// On his next page the shop's own server keeps the handle. Then he signs up, and buys.
const kept = (await visit('/', `service_handle=${handle}`)).cookie;
if (kept !== `service_handle=${handle}`) throw new Error('The shop did not keep the handle.');
const bob = (await visit('/sign-up', kept, { name: 'Bob' })).cookie;
await waitFor('Ada has $10.00 of credit', async () =>
  (await visit('/', ada)).text.includes('$10.00'),
);
const { text: page } = await visit('/', bob);
const orderId = /name="orderId"[^>]*? value="([^"]+)"/.exec(page)?.[1] ?? '';
for (const _press of [1, 2]) await visit('/buy', bob, { orderId });
await waitFor('Ada earned $4.00 in cash, once', async () => {
  const { data } = await goodword.request('GET /v1/rewards');
  const amounts = data.map(({ money }) => money?.netAmountMinor).sort();
  return amounts.join() === '1000,400';
});
await waitFor('The shop granted the credit', async () => {
  const { data } = await goodword.request('GET /v1/rewards');
  return data.some(({ fulfillmentStatus }) => fulfillmentStatus === 'fulfilled');
});
