import { countOf } from '../../../ui/words.ts';
import { BENEFIT_KINDS, type BenefitKind } from '../delivery-words.ts';
import { type Draft, rolesOf } from './draft.ts';

type Environment = 'sandbox' | 'live';

/** What the service uses for a program that was never told otherwise. */
const DEFAULT_METHOD = 'operator';

/** The kinds of benefit that a draft gives, in the order of the console. */
export function kindsOf({ kind, sides }: Pick<Draft, 'kind' | 'sides'>): readonly BenefitKind[] {
  const given = rolesOf(kind)
    .filter((role) => sides[role].isOn)
    .map((role) => sides[role].terms.benefitKind);
  return BENEFIT_KINDS.filter((one) => given.includes(one));
}

/** The method of one kind: the chosen one, or the proposal. Cash is paid in payouts. */
export const methodOf = ({ delivery }: Pick<Draft, 'delivery'>, kind: BenefitKind): string =>
  delivery.methods[kind] ?? (kind === 'cash' ? 'payout' : DEFAULT_METHOD);

/**
 * The hold that is proposed. In a live project, cash waits for the usual time of refunds; a sandbox
 * shows the whole way at once.
 */
function proposedHold(draft: Draft, environment: Environment): string {
  return environment === 'live' && kindsOf(draft).includes('cash') ? '30' : '0';
}

export const holdOf = (draft: Draft, environment: Environment): string =>
  draft.delivery.holdDays ?? proposedHold(draft, environment);

/** What happens to a reward of a kind once it is earned, in one sentence. */
export function sayMethod(kind: BenefitKind, method: string, holdDays: number): string {
  const what = SUBJECTS[kind];
  const wait = holdDays === 0 ? '' : ` after ${countOf(holdDays, 'day')}`;
  switch (method) {
    case 'payout':
      return `${what} is collected and paid in batches under Payouts${wait || ', right away'}.`;
    case 'manual':
      return `${what} is granted by hand: your team records it.`;
    case 'stripe_balance':
    case 'stripe_coupon':
      return `${what} is given by the service at Stripe${wait || ', right away'}.`;
    default:
      return `${what} is granted by your product, which learns of it by webhook or from the feed.`;
  }
}

const SUBJECTS: Record<BenefitKind, string> = {
  cash: 'Cash',
  credit: 'Credit',
  discount: 'The discount',
  custom: 'Your own unit',
};

/** The settings to save; null if they are those that a new program has. */
export function deliveryBody(draft: Draft, environment: Environment) {
  const holdDays = Number(holdOf(draft, environment));
  const kinds = kindsOf(draft);
  const isDefault =
    holdDays === 0 && kinds.every((kind) => methodOf(draft, kind) === DEFAULT_METHOD);
  if (isDefault) return null;
  const methods = Object.fromEntries(
    kinds.map((kind) => [`${kind}Method`, methodOf(draft, kind)]),
  ) as Partial<Record<`${BenefitKind}Method`, string>>;
  return { holdDays, ...methods };
}
