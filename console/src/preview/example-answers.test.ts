import { expect, test } from 'vitest';
import { answerExample } from './example-answers.ts';
import { isPreviewState, type PreviewState } from './message.ts';

const STATE: PreviewState = {
  type: 'goodword-preview',
  programName: 'Invite',
  config: { brandConfig: { primaryColor: '#123456' }, widgetConfig: { title: 'Typed just now' } },
  view: 'panel',
  scheme: 'light',
};
const NOW = Date.parse('2026-11-15T09:30:00Z');
const ask = (path: string) => answerExample(path, STATE, 'https://refer.example.com', NOW);

test('the panel begins with what is typed', () => {
  expect(ask('/v1/widget/init')).toMatchObject([
    200,
    {
      program: { name: 'Invite', kind: 'referral' },
      config: {
        brandConfig: { primaryColor: '#123456' },
        widgetConfig: { title: 'Typed just now' },
      },
      referral: { link: 'https://refer.example.com/l/example/ada-friends' },
    },
  ]);
});

test('it has a few rewards, whose sum is what it says', () => {
  const [status, body] = ask('/v1/widget/rewards') ?? [];
  expect(status).toBe(200);
  expect(body).toMatchObject({
    summary: { rewardCount: 3, earned: [{ netAmountMinor: '2000' }] },
    items: [{ status: 'pending' }, { status: 'granted' }, { discount: { rateBps: 2000 } }],
    nextCursor: null,
  });
});

test('only the texts of the panel are really asked for; every call is answered here', () => {
  expect(ask('/widget/de.json')).toBeNull();
  for (const path of ['/v1/widget/payout-details', '/v1/programs', '/console/auth/sign-out']) {
    expect(ask(path)?.[0]).toBe(404);
  }
});

test('what is no message for the preview is passed over', () => {
  expect(isPreviewState(STATE)).toBe(true);
  for (const data of [null, 'goodword-preview', {}, { type: 'other' }]) {
    expect(isPreviewState(data)).toBe(false);
  }
});
