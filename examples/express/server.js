import {
  readHandle,
  renewHandleMiddleware,
  verifyWebhook,
  WebhookVerificationError,
  widgetToken,
} from '@goodword/sdk';
import express from 'express';
import { goodword, report } from './goodword.js';
import { renderPage } from './page.js';
import { settings } from './settings.js';
import { createUser, findUser, grant, placeOrder } from './shop.js';

const { projectId, widgetSecret, webhookSecret, shopUrl } = settings;
const isSecure = shopUrl.startsWith('https:');
/** @param {import('./shop.js').User} user */
const participantOf = (user) => /** @type {const} */ ({ kind: 'individual', externalId: user.id });

const app = express();
app.use(renewHandleMiddleware({ secure: isSecure }));

app.get('/', (request, response) => {
  response.send(renderPage(findUser(request.headers.cookie)));
});

app.post('/sign-up', express.urlencoded(), (request, response) => {
  const { user, session } = createUser(String(request.body?.name ?? 'Somebody'));
  const refCode = String(request.body?.code ?? '').trim();
  // The handle of a followed link, and the code that was typed in; either may be missing.
  const signup = {
    participant: participantOf(user),
    handle: readHandle(request),
    ...(refCode === '' ? {} : { refCode }),
  };
  void report(() => goodword.track.signup(signup));
  response.cookie('session', session, { httpOnly: true, sameSite: 'lax', secure: isSecure });
  response.redirect(303, '/');
});

app.post('/buy', express.urlencoded(), (request, response) => {
  const user = findUser(request.headers.cookie);
  const orderId = String(request.body?.orderId ?? '');
  if (!user || orderId === '') return void response.sendStatus(400);
  if (placeOrder(orderId)) {
    const purchase = { amountMinor: '4000', currency: 'USD', orderId };
    const participant = participantOf(user);
    void report(() => goodword.track.purchase({ participant, sourceEventId: orderId, purchase }));
  }
  response.redirect(303, '/');
});

app.get('/widget-token', async (request, response) => {
  const user = findUser(request.headers.cookie);
  if (!user) return void response.sendStatus(401);
  const participant = participantOf(user);
  const token = await widgetToken({ projectId, participant, secret: widgetSecret });
  response.set('cache-control', 'no-store').type('text').send(token);
});

// The raw body: the signature is over its bytes.
app.post('/webhooks', express.raw({ type: '*/*' }), async (request, response) => {
  let event;
  try {
    event = await verifyWebhook(request.body, request.headers, webhookSecret);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return void response.sendStatus(401);
  }
  if (event.type !== 'reward.earned') return void response.sendStatus(200);
  const { id, benefitKind, money, beneficiary } = event.data.reward;
  // 200 says that the shop granted the reward, 202 that it did not: Goodword pays cash out itself.
  const isGranted =
    benefitKind === 'credit' &&
    money !== null &&
    grant(id, beneficiary.externalId, BigInt(money.netAmountMinor));
  response.sendStatus(isGranted ? 200 : 202);
});

const { port } = new URL(shopUrl);
app.listen(Number(port), '127.0.0.1', () => console.log(`  Shop  ${shopUrl}`));
