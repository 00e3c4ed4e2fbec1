import { expect, test } from 'vitest';
import { describeAnswer, describeRows } from './present.ts';

const sheet = { width: null, hasColour: false };
const money = { amountMinor: '1999', netAmountMinor: '999', currency: 'USD', currencyExponent: 2 };
const reward = {
  id: 'rwd_1',
  beneficiary: { participantId: 'par_1', kind: 'individual', externalId: '42' },
  beneficiaryRole: 'referrer',
  benefitKind: 'credit',
  money,
  discount: null,
  custom: null,
  earnedAt: '2026-11-15T09:30:00.000Z',
  fulfillmentStatus: 'pending',
  delivery: { method: 'operator', status: 'pending' },
};

test('a list of rewards shows what each is worth, as people write amounts', () => {
  const units = { quantity: 1, unitName: 'month', unitNamePlural: 'months' };
  const text = describeRows(
    [
      reward,
      { ...reward, id: 'rwd_2', money: null, discount: { rateBps: 1250 } },
      { ...reward, id: 'rwd_3', money: null, custom: units },
    ],
    'Reward',
    sheet,
  );
  expect(text).toMatch(/^ID +BENEFICIARY +ROLE +AMOUNT +STATUS +METHOD +DELIVERY +EARNED AT\n/);
  expect(text).toMatch(/^rwd_1 +42 +referrer +9\.99 USD /m);
  expect(text).toMatch(/^rwd_2 .* 12\.5 % /m);
  expect(text).toMatch(/^rwd_3 .* 1 month /m);
});

test('numbers and amounts stand at the right, ids made of digits do not', () => {
  const text = describeRows(
    [
      { externalId: '7', count: 5, amountMinor: '5', currency: 'USD', currencyExponent: 2 },
      {
        externalId: '1234',
        count: 1200,
        amountMinor: '123456',
        currency: 'USD',
        currencyExponent: 2,
      },
    ],
    '',
    sheet,
  );
  expect(text).toBe(
    'EXTERNAL ID  COUNT       AMOUNT\n7                5     0.05 USD\n1234          1200  1234.56 USD\n',
  );
});

test('one thing is told line by line, its lists as tables, and what is empty not at all', () => {
  const text = describeAnswer(
    {
      success: true,
      data: { id: 'ws_1', name: null, parts: [{ id: 'a', count: 1 }], tags: ['x', 'y'], none: [] },
    },
    sheet,
  );
  expect(text).toBe('Id    ws_1\nTags  x, y\n\nParts\nID  COUNT\na       1\n');
});

test('a reward, which is the answer itself, begins with its id', () => {
  const text = describeAnswer({ success: true, ...reward }, sheet);
  expect(text).toMatch(/^Id +rwd_1\n/);
  expect(text).toMatch(/^Delivery status +pending$/m);
  expect(text).toMatch(/^Amount +9\.99 USD$/m);
});

test('a secret comes with the warning that it is shown once', () => {
  const once = /shown only once/;
  expect(describeAnswer({ success: true, data: { id: 'key_1' }, key: 'gw_x' }, sheet)).toMatch(
    once,
  );
  expect(describeAnswer({ success: true, data: { id: 'src_1', key: 'app' } }, sheet)).not.toMatch(
    once,
  );
});
