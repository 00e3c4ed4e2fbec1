import type { Tally } from '../../../platform/figures/tally.ts';
import type { ProgramBook } from '../../programs/program-book.ts';
import { givenName, milestoneNames } from '../../rewards/decide/reward-figures.ts';

/** What decisions read besides the figures of rules: the measures of tiers and milestones, and signs of risk. */
const ALWAYS = new Set(['referred', 'referrals', 'purchases', 'refunded', 'own:purchases']);
const MEASURES = /^(own:)?(atStake:)?(revenue:|purchases$)|^(carried|rejected):/;

/** The figures that decide about Rewards. Totals of Programs, links, campaigns and Partners are not kept. */
export class NeededFigures extends Map<string, Tally extends Map<string, infer V> ? V : never> {
  readonly #rules: ReadonlySet<string>;
  readonly #isNeeded = new Map<string, boolean>();

  constructor({ programs }: ProgramBook) {
    super();
    const names = [...programs.values()].flatMap(({ rules }) =>
      rules.flatMap(({ id, terms }) => [
        ...(terms.some((one) => one.maxRewardsPerBeneficiary !== null) ? [givenName(id)] : []),
        ...(terms.some((one) => one.milestone !== null) ? [milestoneNames(id).reached] : []),
        `once:${id}`,
        ...(terms.some((one) => one.durationMode === 'once' || one.benefitKind === 'discount')
          ? [`period:${id}`]
          : []),
      ]),
    );
    this.#rules = new Set(names);
  }

  override set(key: string, figure: NonNullable<ReturnType<Tally['get']>>): this {
    const { subject, name } = figure;
    // Programs, links by Program, and days of Partners have other subjects.
    if (subject.startsWith('prg_') || subject.startsWith('lnk_') || subject.includes(':'))
      return this;
    let isNeeded = this.#isNeeded.get(name);
    if (isNeeded === undefined) {
      isNeeded = ALWAYS.has(name) || this.#rules.has(name) || MEASURES.test(name);
      this.#isNeeded.set(name, isNeeded);
    }
    return isNeeded ? super.set(key, figure) : this;
  }
}
