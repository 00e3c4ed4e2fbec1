import type { Figure } from '../../../platform/figures/tally.ts';
import type { ProgramBook } from '../../programs/program-book.ts';
import { givenName, milestoneNames } from '../../rewards/decide/reward-figures.ts';

/** What the signs of risk read. */
const ALWAYS = new Set(['referred', 'referrals', 'purchases', 'refunded']);
/** The measures of tiers and milestones. */
const MEASURES = /^(own:)?(atStake:)?(revenue:|purchases$)|^(carried|rejected|reviewed):/;

function rulesOf(books: readonly ProgramBook[]) {
  return books.flatMap((book) => [...book.programs.values()].flatMap((one) => one.rules));
}

export function needsMeasures(books: readonly ProgramBook[]): boolean {
  return rulesOf(books).some(({ terms }) =>
    terms.some(({ tiers, milestone }) => tiers !== null || milestone !== null),
  );
}

/**
 * Says which figures decide about Rewards in any of these books. Totals of Programs, links, campaigns and Partners do not:
 * they are not kept.
 */
export function neededFigures(books: readonly ProgramBook[]): (figure: Figure) => boolean {
  const rules = rulesOf(books);
  const hasMeasures = needsMeasures(books);
  const ofRules = new Set(
    rules.flatMap(({ id, terms }) => [
      ...(terms.some((one) => one.maxRewardsPerBeneficiary !== null) ? [givenName(id)] : []),
      ...(terms.some((one) => one.milestone !== null) ? [milestoneNames(id).reached] : []),
      `once:${id}`,
      ...(terms.some((one) => one.durationMode === 'once' || one.benefitKind === 'discount')
        ? [`period:${id}`]
        : []),
    ]),
  );
  const isNeeded = new Map<string, boolean>();
  return ({ name }) => {
    const known = isNeeded.get(name);
    if (known !== undefined) return known;
    const is = ALWAYS.has(name) || ofRules.has(name) || (hasMeasures && MEASURES.test(name));
    isNeeded.set(name, is);
    return is;
  };
}
