import { readFile } from 'node:fs/promises';
import { Goodword } from '@goodword/sdk';

// Creates the program of the shop, and prints the settings that the shop needs.
const { GOODWORD_URL: url = 'http://127.0.0.1:8080', SHOP_URL = 'http://localhost:3000' } =
  process.env;
const { key, project, secret } = JSON.parse(await readFile('goodword.json', 'utf8'));
const goodword = new Goodword({ url, apiKey: key, projectId: project.id });

const { data: program } = await goodword.request('POST /v1/programs', {
  body: {
    kind: 'referral',
    name: 'Invite a friend',
    config: { brandConfig: { landingPageUrl: `${SHOP_URL}/` } },
  },
});
await goodword.request('POST /v1/benefit-rules', {
  body: {
    ...{ programId: program.id, name: '$10 for a friend' },
    ...{ eventType: 'signup', beneficiaryRole: 'referrer' },
    terms: {
      ...{ benefitKind: 'credit', calculation: 'fixed', fixedAmountMinor: '1000' },
      ...{ currency: 'USD', currencyExponent: 2 },
    },
  },
});
await goodword.request('POST /v1/benefit-rules', {
  body: {
    ...{ programId: program.id, name: '10% of what the friend pays' },
    ...{ eventType: 'purchase', beneficiaryRole: 'referrer' },
    terms: { benefitKind: 'cash', calculation: 'percentage', rateBps: 1000 },
  },
});
await goodword.request('POST /v1/programs/{programId}/status', {
  path: { programId: program.id },
  body: { status: 'active' },
});
const { sourceNamespaceId } = await goodword.request('POST /v1/sources', {
  body: { name: 'shop' },
});
// Goodword sends to 127.0.0.1 only if WEBHOOK_ALLOWED_CIDRS allows it.
const endpoint = await goodword.request('POST /v1/webhook-endpoints', {
  body: {
    url: `${SHOP_URL.replace('localhost', '127.0.0.1')}/webhooks`,
    eventTypes: ['reward.earned'],
  },
});

console.log(`GOODWORD_URL=${url}
GOODWORD_KEY=${key}
PROJECT=${project.id}
PROJECT_KEY=${project.projectKey}
PROGRAM=${program.id}
SOURCE=${sourceNamespaceId}
WIDGET_SECRET=${secret}
WEBHOOK_SECRET=${endpoint.secret}
SHOP_URL=${SHOP_URL}`);
