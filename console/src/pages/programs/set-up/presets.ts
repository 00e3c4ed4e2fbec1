import { exponentOf } from '../../../ui/currencies.ts';
import type { ProgramKind } from '../queries.ts';
import { NEW_TERMS, type TermsForm } from '../terms/terms-form.ts';
import type { Draft, Role, Side } from './draft.ts';

export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly meaning: string;
  readonly sides: Partial<Record<Role, Side>>;
}

/**
 * A round amount of about the same value: `10` in most currencies, `1000` in those without cents.
 */
const amountIn = (currency: string, tens: number) =>
  String(exponentOf(currency) === 0 ? tens * 1000 : tens * 10);

const on = (eventType: Side['eventType'], terms: Partial<TermsForm>, currency: string): Side => ({
  isOn: true,
  eventType,
  terms: { ...NEW_TERMS, currency, ...terms },
});

function show(currency: string, amount: string): string {
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    maximumFractionDigits: 0,
  }).format(Number(amount));
}

const MONTH = {
  benefitKind: 'custom',
  quantity: '1',
  unitName: 'free month',
  unitNamePlural: 'free months',
} as const;

const MUG = {
  benefitKind: 'custom',
  quantity: '1',
  unitName: 'mug',
  unitNamePlural: 'mugs',
  growth: 'milestone',
  measure: 'referrals',
  at: '10',
} as const;

const GROWING = {
  growth: 'steps',
  measure: 'referrals',
  steps: [
    { from: '0', size: '20' },
    { from: '5', size: '25' },
    { from: '20', size: '30' },
  ],
} as const;

/** Proven offers to start from. */
export function presetsFor(kind: ProgramKind, currency: string): readonly Preset[] {
  const ten = amountIn(currency, 1);
  const fifty = amountIn(currency, 5);
  const credit = { benefitKind: 'credit', amount: ten } as const;
  const share = { calculation: 'percentage', rate: '20' } as const;
  const year = { durationMode: 'months', durationMonths: '12' } as const;
  switch (kind) {
    case 'referral':
      return [
        {
          id: 'give-get',
          title: `Give ${show(currency, ten)}, get ${show(currency, ten)}`,
          meaning:
            'Friends get credit when they sign up. The person who invited them gets credit when they buy.',
          sides: {
            referrer: on('purchase', credit, currency),
            referee: on('signup', credit, currency),
          },
        },
        {
          id: 'free-month',
          title: 'A free month for both',
          meaning: 'For subscriptions: your product grants the month, Goodword says when.',
          sides: {
            referrer: on('purchase', MONTH, currency),
            referee: on('signup', MONTH, currency),
          },
        },
        {
          id: 'share-year',
          title: '20% for 12 months',
          meaning:
            'The person who invited gets a share of all purchases of their friend in a year, in cash.',
          sides: { referrer: on('purchase', { ...share, ...year }, currency) },
        },
        {
          id: 'mug',
          title: 'A mug for ten friends',
          meaning: 'Somebody who invites ten friends gets an item of yours, once. You send it.',
          sides: { referrer: on('signup', MUG, currency) },
        },
      ];
    case 'affiliate':
      return [
        {
          id: 'share-year',
          title: '20% for 12 months',
          meaning: 'A share of all purchases of a new customer in the first year.',
          sides: { referrer: on('purchase', { ...share, ...year }, currency) },
        },
        {
          id: 'growing',
          title: 'Growing commission',
          meaning:
            '20% of all purchases, 25% from the 5th customer, 30% from the 20th: who brings more earns more.',
          sides: {
            referrer: on('purchase', { ...share, ...GROWING, durationMode: 'forever' }, currency),
          },
        },
        {
          id: 'first-sale',
          title: '30% of the first purchase',
          meaning: 'Once for each customer, however small or large.',
          sides: { referrer: on('purchase', { ...share, rate: '30' }, currency) },
        },
        {
          id: 'bounty',
          title: `${show(currency, fifty)} for each customer`,
          meaning: 'A fixed amount when a customer they referred buys for the first time.',
          sides: { referrer: on('purchase', { amount: fifty }, currency) },
        },
      ];
    case 'loyalty':
      return [
        {
          id: 'cash-back',
          title: '5% back',
          meaning: 'A share of every purchase comes back as credit.',
          sides: {
            subject: on(
              'purchase',
              { ...share, rate: '5', benefitKind: 'credit', durationMode: 'forever' },
              currency,
            ),
          },
        },
        {
          id: 'points',
          title: '100 points for each purchase',
          meaning: 'Points of your own, which your product keeps.',
          sides: {
            subject: on(
              'purchase',
              {
                ...MONTH,
                quantity: '100',
                unitName: 'point',
                unitNamePlural: 'points',
                durationMode: 'forever',
              },
              currency,
            ),
          },
        },
      ];
  }
}

/** The draft with a preset's offer: sides that it does not name get nothing. */
export function applyPreset(draft: Draft, preset: Preset): Draft {
  const pick = (role: Role): Side => preset.sides[role] ?? { ...draft.sides[role], isOn: false };
  return {
    ...draft,
    preset: preset.id,
    sides: { referrer: pick('referrer'), referee: pick('referee'), subject: pick('subject') },
  };
}

/** The draft with the first offer of a kind, so that it is visible at once. */
export function applyKind(draft: Draft, kind: ProgramKind): Draft {
  const [first] = presetsFor(kind, currencyOf(draft));
  const next = { ...draft, kind };
  return first ? applyPreset(next, first) : next;
}

/** All sides share one currency. */
export const currencyOf = ({ sides }: Draft): string => sides.referrer.terms.currency;

/** The draft with every amount in another currency; an offer has round amounts in each. */
export function applyCurrency(draft: Draft, currency: string): Draft {
  const change = (side: Side): Side => ({ ...side, terms: { ...side.terms, currency } });
  const { referrer, referee, subject } = draft.sides;
  const next = {
    ...draft,
    sides: { referrer: change(referrer), referee: change(referee), subject: change(subject) },
  };
  const preset = presetsFor(draft.kind, currency).find(({ id }) => id === draft.preset);
  return preset ? applyPreset(next, preset) : next;
}
