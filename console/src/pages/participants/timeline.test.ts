import { describe, expect, it } from 'vitest';
import { formatMinor } from '../../ui/money.tsx';
import { timelineOf } from './timeline.ts';

type Story = Parameters<typeof timelineOf>[0];
const at = (hour: number) => `2026-11-15T${String(hour).padStart(2, '0')}:00:00.000Z`;
const row = { createdAt: at(1), updatedAt: at(1), projectId: 'prj_1' };

const referral = (
  id: string,
  referrer: string,
  referee: string,
): Story['detail']['referrals'][0] => ({
  ...row,
  id,
  referrerParticipantId: referrer,
  refereeParticipantId: referee,
  enrollmentId: 'enr_1',
  programId: 'prg_1',
  touchId: 'tch_1',
  bindingEventId: 'evt_1',
  bindingSubscriptionFactId: null,
  bindingOccurredAt: at(2),
  selectedAt: at(2),
  policyVersionId: 'pol_1',
});
const event = (id: string, type: string, hour: number): Story['detail']['events'][0] => ({
  ...row,
  id,
  participantId: 'par_1',
  type,
  actorParticipantId: null,
  sourceNamespaceId: 'src_1',
  sourceEventId: 'signup:par_1',
  occurredAt: at(hour),
  receivedAt: at(hour),
  normalizedFacts: {},
  factsHash: '',
  processingState: 'processed',
  processingReason: 'attributed',
  attemptCount: 1,
  nextAttemptAt: null,
});
const reward: Story['rewards'][0] = {
  id: 'rwd_1',
  projectId: 'prj_1',
  programId: 'prg_1',
  ruleId: 'rul_1',
  termsVersionId: 'trm_1',
  eventId: 'evt_2',
  beneficiaryRole: 'referrer',
  beneficiary: { participantId: 'par_1', kind: 'individual', externalId: 'ada' },
  benefitKind: 'credit',
  money: { amountMinor: '560', netAmountMinor: '360', currency: 'EUR', currencyExponent: 2 },
  discount: null,
  custom: null,
  tier: null,
  milestone: null,
  earnedAt: at(4),
  availableAt: at(4),
  fulfillmentStatus: 'revoked',
  fulfillment: { id: 'ful_1', externalReference: 'ledger-1', occurredAt: at(5), actor: 'console' },
  revocation: { id: 'rev_1', externalReference: 'ledger-2', occurredAt: at(7), actor: 'console' },
  delivery: { method: 'operator', status: 'delivered', reason: null, providerReference: null },
  void: { id: 'void_1', reasonCode: 'fraud', reason: 'Same household', voidedAt: at(6) },
};
const story = (changes: Partial<Story> = {}): Story => ({
  detail: {
    participant: {
      ...row,
      id: 'par_1',
      kind: 'individual',
      externalId: 'ada',
      billingId: null,
      name: null,
      email: null,
      partnerId: null,
      deletedAt: null,
      readmittedAt: null,
    },
    enrollments: [],
    refCodes: [],
    links: [],
    startingMeasures: [],
    referredBy: null,
    referrals: [],
    events: [],
  },
  rewards: [],
  payouts: [],
  adjustments: [],
  ...changes,
});
const titles = (one: Story) => timelineOf(one).map(({ title }) => title);

describe('a participant as a timeline', () => {
  it('tells the newest first, and the beginning last', () => {
    const one = story();
    one.detail.events.push(event('evt_2', 'purchase', 3), event('evt_1', 'signup', 2));
    expect(titles(one)).toEqual(['Purchase', 'Signed up', 'First seen']);
  });

  it('tells every step of a reward, with what it was worth when earned', () => {
    const euros = formatMinor('560', 'EUR', 2);
    expect(titles(story({ rewards: [reward] }))).toEqual([
      `${euros} taken back`,
      `${euros} voided`,
      `${euros} granted`,
      `Earned ${euros}`,
      'First seen',
    ]);
  });

  it('says why a reward was voided, in words', () => {
    const voided = timelineOf(story({ rewards: [reward] })).find(({ tone }) => tone === 'bad');
    expect(voided?.detail).toBe('Fraud: Same household');
  });

  it('shows what refunds took and gave back, of rewards too old to be listed as well', () => {
    const adjustment = (id: string, rewardId: string, signedAmountMinor: string) => ({
      ...row,
      id,
      purchaseAdjustmentId: 'padj_1',
      rewardId,
      purchaseId: 'pur_1',
      currency: 'EUR',
      signedAmountMinor,
      calculationSnapshot: {},
    });
    const adjustments = [
      adjustment('adj_1', 'rwd_1', '-200'),
      adjustment('adj_2', 'rwd_1', '50'),
      { ...adjustment('adj_3', 'rwd_older', '-10'), currency: 'JPY' },
    ];
    const all = titles(story({ rewards: [reward], adjustments }));
    expect(all).toContain(`Reward reduced by ${formatMinor('200', 'EUR', 2)}`);
    expect(all).toContain(`Reward restored by ${formatMinor('50', 'EUR', 2)}`);
    expect(all).toContain(`Reward reduced by ${formatMinor('10', 'JPY', 0)}`);
  });

  it('tells who referred them and whom they referred', () => {
    const one = story();
    const detail = {
      ...one.detail,
      referredBy: referral('ref_1', 'par_9', 'par_1'),
      referrals: [referral('ref_2', 'par_1', 'par_2')],
    };
    const people = timelineOf({ ...one, detail }).flatMap(({ title, person }) =>
      person ? [[title, person.id]] : [],
    );
    expect(people).toEqual([
      ['Referred', 'par_2'],
      ['Was referred', 'par_9'],
    ]);
  });

  it('tells of programs they joined and left, payouts, and their erasure', () => {
    const one = story({
      payouts: [
        {
          id: 'po_1',
          batchId: 'pob_1',
          status: 'paid',
          method: 'manual_export',
          currency: 'EUR',
          currencyExponent: 2,
          amountMinor: '360',
          rewards: [],
          providerReference: null,
          createdAt: at(8),
          paidAt: at(9),
          failureReason: null,
          failureMessage: null,
        },
      ],
    });
    const enrollment = { ...row, id: 'enr_1', participantId: 'par_1', programId: 'prg_1' };
    one.detail.enrollments.push({ ...enrollment, startsAt: at(3), endsAt: at(10) });
    const participant = { ...one.detail.participant, deletedAt: at(11) };
    const euros = formatMinor('360', 'EUR', 2);
    expect(titles({ ...one, detail: { ...one.detail, participant } })).toEqual([
      'Erased',
      'Left',
      `Payout of ${euros} paid`,
      `Payout of ${euros} created`,
      'Joined',
      'First seen',
    ]);
  });

  it('a payout that failed or came back never reads as money that they have', () => {
    const payout = (changes: object) =>
      ({
        id: 'po_1',
        currency: 'EUR',
        currencyExponent: 2,
        amountMinor: '360',
        createdAt: at(8),
        paidAt: null,
        failureReason: 'account_closed',
        ...changes,
      }) as Story['payouts'][0];
    const told = (one: Story['payouts'][0]) =>
      timelineOf(story({ payouts: [one] }))
        .filter(({ kind }) => kind === 'payout')
        .map(({ tone, title, detail }) => [tone, title.replace(/^.* (?=\w+$)/, ''), detail]);
    const [failed] = told(payout({ status: 'failed' }));
    expect(failed?.slice(0, 2)).toEqual(['bad', 'created']);
    expect(failed?.[2]).toMatch(/^Failed: ./);
    const [paid, created] = told(payout({ status: 'returned', paidAt: at(9) }));
    expect(paid).toEqual(['bad', 'paid', expect.stringMatching(/^The money was returned: ./)]);
    expect(created).toEqual(['plain', 'created', undefined]);
    expect(told(payout({ status: 'cancelled', failureReason: null }))[0]?.[2]).toBe('Cancelled');
  });
});
