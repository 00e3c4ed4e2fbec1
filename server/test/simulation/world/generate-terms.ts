import type { Condition, Measure, Milestone, Size, Terms, Tiers } from '../model/facts.ts';
import { chance, pick, type Random } from './draw.ts';
import type { RuleSpec } from './operations.ts';

export type Place = Pick<RuleSpec, 'eventType' | 'role' | 'purpose'>;

/** Any terms that the service accepts for a rule in this place. */
export function generateTerms(random: Random, place: Place): Terms {
  const { eventType, purpose } = place;
  const benefitKind = pick(random, ['cash', 'credit', 'discount', 'custom'] as const);
  const isMoney = benefitKind === 'cash' || benefitKind === 'credit';
  const isPurchase = eventType === 'purchase';
  const milestone =
    purpose === 'bonus' && chance(random, 55) ? generateMilestone(random, place) : null;
  const isRate =
    benefitKind === 'discount' || (isMoney && isPurchase && !milestone && chance(random, 60));
  const field = isRate ? 'rateBps' : isMoney ? 'fixedAmountMinor' : 'quantity';
  const size = () => generateSize(random, field);
  const durationMode =
    isPurchase && !milestone ? pick(random, ['once', 'months', 'forever'] as const) : 'once';
  return {
    benefitKind,
    calculation: milestone ? 'milestone' : isRate ? 'percentage' : 'fixed',
    ...(milestone ? { milestone } : {}),
    ...(!milestone && chance(random, 35) ? { tiers: generateTiers(random, place, size) } : size()),
    durationMode,
    ...(durationMode === 'months' ? { durationMonths: 1 + random(3) } : {}),
    ...(chance(random, 30) ? { maxRewardsPerBeneficiary: 1 + random(4) } : {}),
    roundingPolicy: pick(random, ['half_up', 'half_even', 'down', 'up'] as const),
    refundPolicy: pick(random, ['proportional', 'proportional', 'full', 'none'] as const),
    enabled: chance(random, 92),
    ...(isPurchase && chance(random, 25) ? { conditions: [generateCondition(random)] } : {}),
  };
}

function generateSize(random: Random, field: keyof Size): Size {
  if (field === 'rateBps') return { rateBps: pick(random, [1, 333, 1_000, 2_500, 10_000]) };
  if (field === 'quantity') return { quantity: pick(random, [1, 5, 12]) };
  return { fixedAmountMinor: pick(random, ['1', '7', '500', '1001']) };
}

/** What is reached in a world of a few people: only a referrer makes referrals. */
const VALUES: Readonly<Record<Measure, readonly string[]>> = {
  referrals: ['1', '2', '3'],
  purchases: ['1', '2', '4'],
  revenue: ['99', '13345', '1000000'],
};

function generateTiers(random: Random, { role }: Place, size: () => Size): Tiers {
  const measure = pick(random, [
    ...(['purchases', 'revenue'] as const),
    ...(role === 'referrer' ? (['referrals'] as const) : []),
  ]);
  const froms = ['0', ...VALUES[measure].filter(() => chance(random, 60))];
  const [, second = VALUES[measure][0] as string] = froms;
  return {
    measure,
    window: pick(random, ['all_time', 'calendar_month', 'rolling_30_days'] as const),
    steps: ['0', second, ...froms.slice(2)].map((from) => ({ from, ...size() })),
  };
}

/** Referrals change with signups, everything else with purchases. */
function generateMilestone(random: Random, { eventType, role }: Place): Milestone | null {
  const repeat = chance(random, 50);
  if (eventType === 'signup') {
    return role === 'referrer'
      ? { measure: 'referrals', at: pick(random, VALUES.referrals), repeat }
      : null;
  }
  const measure = pick(random, ['purchases', 'revenue'] as const);
  const at =
    measure === 'purchases' ? pick(random, VALUES.purchases) : pick(random, ['12345', '300000']);
  return { measure, at, repeat: repeat && at !== '12345' };
}

function generateCondition(random: Random): Condition {
  const amount = () => pick(random, ['1', '99', '1000', '12345']);
  const field = 'purchase.amountMinor';
  switch (random(6)) {
    case 0:
      return { field, op: 'eq', value: amount() };
    case 1:
      return { field, op: 'ne', value: amount() };
    case 2:
      return { field, op: 'lte', value: amount() };
    case 3:
      return { field, op: 'not_in', value: [amount(), amount()] };
    case 4:
      return { field: 'purchase.currency', op: 'in', value: ['EUR', pick(random, ['USD', 'CHF'])] };
    default:
      return { field, op: 'gte', value: amount() };
  }
}
