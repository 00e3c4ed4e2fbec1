import { countOf, join } from '../../ui/words.ts';

/** A partner's totals in its projects. */
export interface Standing {
  readonly codes: number;
  readonly links: number;
  readonly referrals: number;
  /** Drafted payouts. */
  readonly drafts: number;
}

/** The API returns at most this many referrals of a participant. */
const REFERRALS_MAX = 50;

export const sayReferrals = (count: number): string =>
  count >= REFERRALS_MAX ? `${REFERRALS_MAX} referrals or more` : countOf(count, 'referral');

export const sumUp = (standings: readonly Standing[]): Standing => ({
  codes: standings.reduce((sum, { codes }) => sum + codes, 0),
  links: standings.reduce((sum, { links }) => sum + links, 0),
  referrals: standings.reduce((sum, { referrals }) => sum + referrals, 0),
  drafts: standings.reduce((sum, { drafts }) => sum + drafts, 0),
});

export const sayShares = ({ codes, links }: Standing): string =>
  join([countOf(codes, 'code'), countOf(links, 'link')]);

/** The effects of a suspension, one sentence each. */
export function effectsOfSuspending(standing: Standing): string[] {
  const { referrals, drafts } = standing;
  return [
    `${sayShares(standing)} bring no new referrals.`,
    referrals === 0
      ? 'It has no referrals.'
      : `It earns nothing more for its ${sayReferrals(referrals)}.`,
    drafts === 0
      ? 'It is not paid.'
      : `It is not paid. This includes ${countOf(drafts, 'drafted payout')}.`,
  ];
}
