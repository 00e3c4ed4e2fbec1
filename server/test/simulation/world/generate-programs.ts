import type { Terms } from '../model/facts.ts';
import { chance, pick, type Random } from './draw.ts';
import { generateTerms, type Place } from './generate-terms.ts';
import type { EndpointSpec, ProgramSpec, RiskSpec, RuleSpec } from './operations.ts';

export function generateProgram(random: Random, index: number, isReviewed: boolean): ProgramSpec {
  const method = () => pick(random, ['operator', 'manual']);
  const places = [
    { eventType: 'signup', role: 'referrer', purpose: 'primary' },
    { eventType: 'signup', role: 'referee', purpose: 'primary' },
    { eventType: 'signup', role: 'referrer', purpose: 'bonus' },
    { eventType: 'purchase', role: 'referrer', purpose: 'primary' },
    { eventType: 'purchase', role: 'referee', purpose: 'primary' },
    { eventType: 'purchase', role: 'referrer', purpose: 'bonus' },
    { eventType: 'purchase', role: 'referrer', purpose: 'bonus' },
    { eventType: 'purchase', role: 'referee', purpose: 'bonus' },
  ] as const;
  const cashMethod = pick(random, ['operator', 'manual', 'payout', 'payout']);
  const rules = places.flatMap((place, at): RuleSpec[] =>
    chance(random, 55)
      ? [
          {
            key: `g${index}r${at}`,
            ...place,
            terms: drawTerms(random, place, { cashMethod, isReviewed }),
          },
        ]
      : [],
  );
  return {
    key: `g${index}`,
    ...(isReviewed ? { risk: RISK } : {}),
    holdDays: pick(random, cashMethod === 'payout' ? [0, 0, 0, 1] : [0, 0, 1, 30]),
    methods: {
      cashMethod,
      creditMethod: method(),
      discountMethod: method(),
      customMethod: method(),
    },
    rules,
  };
}

/**
 * What the service pays itself is cash, of which a world cannot have too much. A milestone is lost while it is pending:
 * the model does not know when a payout took it, so none is paid by one.
 */
export function drawTerms(
  random: Random,
  place: Place,
  { cashMethod, isReviewed }: { readonly cashMethod: string; readonly isReviewed: boolean },
): Terms {
  const drawn = generateTerms(random, place);
  const terms = isReviewed ? withoutMilestone(drawn) : drawn;
  const isMoney = terms.benefitKind === 'cash' || terms.benefitKind === 'credit';
  if (cashMethod !== 'payout' || !isMoney) return terms;
  return { ...terms, benefitKind: terms.milestone ? 'credit' : 'cash' };
}

/** A milestone that is reached only with a referral under review waits for it: the model does not know that. */
function withoutMilestone({ milestone, ...terms }: Terms): Terms {
  if (!milestone) return terms;
  return { ...terms, calculation: terms.benefitKind === 'discount' ? 'percentage' : 'fixed' };
}

export function generateEndpoint(random: Random, index: number): EndpointSpec {
  return {
    url: `https://hook${index}.example.com/`,
    fulfillmentMode: pick(random, ['on_delivery', 'explicit'] as const),
  };
}

/** Who signs up seconds after a click is suspicious, and whoever is watched. */
const RISK: RiskSpec = { reviewAt: 50, points: { quick_signup: 50, velocity: 50 } };
