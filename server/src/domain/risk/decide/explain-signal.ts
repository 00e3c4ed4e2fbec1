import type { RiskSignal } from '../../programs/policies/risk-policy.ts';
import { RECENT_MAX } from '../risk-slice.ts';
import type { RiskVerdict } from '../schema.ts';
import { findRush, isByList } from './judge-risk.ts';
import {
  type PinnedSignal,
  type PinnedVerdict,
  type RiskFacts,
  unpackFacts,
} from './risk-facts.ts';

const BY_LIST: Readonly<Partial<Record<RiskSignal, string>>> = {
  same_network: 'The signup came from a network on the list of watched networks.',
  velocity: 'The referrer or the referee is on the list of watched participants.',
  email_disposable: 'The e-mail domain is on the list of watched domains.',
};

const count = (howMany: number, one: string, many: string) =>
  `${howMany} ${howMany === 1 ? one : many}`;

const SENTENCES: Readonly<Record<RiskSignal, (facts: RiskFacts) => string>> = {
  same_network: ({ sharedNetworks }) =>
    `The referrer and the referee were seen in the same network${sharedNetworks === 1 ? '' : `, in ${sharedNetworks} of them`}.`,
  velocity: (facts) => {
    const { count: people, within } = findRush(facts) ?? { count: 0, within: 'day' };
    // No more are looked at.
    const howMany = people >= RECENT_MAX ? `${RECENT_MAX} or more` : people;
    const time = within === 'hour' ? 'an hour' : 'a day';
    return `The referrer brought ${howMany} people within ${time}, and at most ${facts.usualPerDay} a day on average before.`;
  },
  quick_signup: ({ secondsFromClick }) =>
    `The signup came ${count(secondsFromClick ?? 0, 'second', 'seconds')} after the click.`,
  email_alias: ({ sameAddresses }) =>
    `${count(sameAddresses, 'person', 'people')} around the referrer ${sameAddresses === 1 ? 'has' : 'have'} the same e-mail address but for tags and dots.`,
  email_similar: ({ similarAddresses }) =>
    `The e-mail address of ${count(similarAddresses, 'person', 'people')} around the referrer differs by digits only.`,
  email_disposable: () => 'The e-mail address is from a provider of disposable addresses.',
  shared_payout: ({ sharedPayouts }) =>
    `${count(sharedPayouts, 'other person is', 'other people are')} paid to the same account as the referrer or the referee.`,
  shared_payment: ({ sharedCards }) =>
    `${count(sharedCards, 'other person', 'other people')} paid with a card of the referee.`,
  ring: ({ cycleLength, refereesOnNetwork, refereesOnPayout }) => {
    if (cycleLength > 0) return `${cycleLength} people referred each other in a circle.`;
    const [others, what] =
      refereesOnNetwork >= refereesOnPayout
        ? [refereesOnNetwork, 'network']
        : [refereesOnPayout, 'payout account'];
    return `${count(others, 'other referee', 'other referees')} of the referrer ${others === 1 ? 'shares' : 'share'} a ${what} with the referee.`;
  },
  refund_rate: ({ purchases, refundedPurchases }) =>
    `${refundedPurchases} of ${count(purchases, 'purchase', 'purchases')} by the referrer's referees were refunded.`,
};

/** One sentence that says why a signal fired. */
export function explainSignal(fired: PinnedSignal, facts: RiskFacts): string {
  const byList = isByList(fired) ? BY_LIST[fired.signal] : undefined;
  return byList ?? SENTENCES[fired.signal](facts);
}

export function presentVerdict(pinned: PinnedVerdict): RiskVerdict {
  const { referralId, policyVersionId, mode, score, reviewAt, signals, reviewId } = pinned;
  const facts = unpackFacts(pinned.facts);
  return {
    referralId,
    policyVersionId,
    mode,
    score,
    reviewAt,
    signals: signals.map((fired) => ({ ...fired, sentence: explainSignal(fired, facts) })),
    reviewId: reviewId ?? null,
  };
}
