import { type Figure, figureKey } from '../../../platform/figures/tally.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { BookedProgram, BookedRule, ProgramBook } from '../../programs/program-book.ts';
import type { Measure } from '../../programs/rules/measures.ts';
import { daysAround } from '../../programs/rules/window-days.ts';
import type { AskedMilestones, StakedMilestones } from '../../rewards/change/save-rewards.ts';
import { worstOf } from '../../rewards/decide/hold-milestone.ts';
import { milestoneKey } from '../../rewards/decide/measured-benefit.ts';
import { milestoneNames } from '../../rewards/decide/reward-figures.ts';
import type { Purchase } from './facts.ts';
import { hasReviewed, measureDaysOf, readStaked } from './measures.ts';

type Figures = ReadonlyMap<string, Figure>;

/** Days of a subject to read. */
export interface DayRange {
  readonly subject: string;
  readonly from: string;
  readonly before: string;
}

/** The days that decisions about these people may need, by when the Events were received. */
export function dayRanges(
  { programs }: ProgramBook,
  beneficiaryIds: readonly string[],
  received: readonly Instant[],
): DayRange[] {
  const counted = [...programs.values()].filter(({ daysFrom }) => daysFrom !== null);
  if (counted.length === 0) return [];
  const days = new Map(received.map((at) => [at.slice(0, 10), daysAround(at)]));
  const ranges = mergeRanges([...days.values()]);
  return counted.flatMap(({ id: programId }) =>
    beneficiaryIds.flatMap((beneficiaryId) =>
      ranges.map((range) => ({ subject: measureDaysOf(beneficiaryId, programId), ...range })),
    ),
  );
}

type Range = Omit<DayRange, 'subject'>;

/** Each day once. */
function mergeRanges(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = merged.at(-1);
    if (!last || range.from > last.before) merged.push(range);
    else if (range.before > last.before)
      merged[merged.length - 1] = { ...last, before: range.before };
  }
  return merged;
}

/** Whether purchases decide any milestone. */
export function hasMilestones({ programs }: ProgramBook): boolean {
  return [...programs.values()].some(({ rules }) =>
    rules.some(({ terms }) =>
      terms.some(({ milestone }) => milestone !== null && milestone.measure !== 'referrals'),
    ),
  );
}

/** What may change in a batch that milestones depend on. */
interface Changing {
  readonly adjusted: readonly Purchase[];
  /** Whether somebody signs up whose referral was counted before: others may have earned its milestone meanwhile. */
  readonly hasLateSignup: boolean;
}

/**
 * Whose Rewards of milestones a batch may take away, hold or give back, with what the measure can fall to when
 * purchases are adjusted and every open dispute and review goes wrong. Somebody who has earned none is not asked for.
 * Saving holds those that a review of this batch affects (`stakedMilestones`).
 */
export function askedMilestones(
  { programs }: ProgramBook,
  figures: Figures,
  beneficiaryIds: readonly string[],
  { adjusted, hasLateSignup }: Changing,
): AskedMilestones[] {
  return [...programs.values()].flatMap((program) =>
    program.rules.flatMap((rule) =>
      beneficiaryIds
        .filter((id) => hasReached(figures, program.id, rule.id, id))
        .flatMap((id) => {
          // The number of referrals has only fallen, and can only fall, by a review.
          const withReferrals = hasLateSignup || hasReviewed(figures, program.id, id);
          return milestoneKinds(rule)
            .filter(({ measure }) => withReferrals || measure !== 'referrals')
            .map((kind) => askFor(program, rule, id, kind));
        }),
    ),
  );

  function askFor(
    program: BookedProgram,
    rule: BookedRule,
    beneficiaryId: string,
    kind: MilestoneKind,
  ): AskedMilestones {
    const { measure, currency } = kind;
    const { value, ofBoth } = standingIn(figures, program.id, rule, { ...kind, beneficiaryId });
    const loss = {
      referrals: () => 1n,
      purchases: () => BigInt(adjusted.length),
      revenue: () =>
        adjusted
          .filter((one) => one.currency === currency)
          .reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n),
    }[measure]();
    const milestone = milestoneKey({ measure }, currency);
    return { ruleId: rule.id, beneficiaryId, milestone, value, lowest: ofBoth - loss };
  }
}

/** The milestones in a Program of people who have earned some, with what their measures are now and can fall to. */
export function stakedMilestones(
  program: BookedProgram,
  figures: Figures,
  beneficiaryIds: readonly string[],
): StakedMilestones[] {
  return program.rules.flatMap((rule) =>
    beneficiaryIds
      .filter((id) => hasReached(figures, program.id, rule.id, id))
      .flatMap((beneficiaryId) =>
        milestoneKinds(rule).map((kind) => {
          const asked = { ...kind, beneficiaryId };
          const { value, ofBoth, ofReviews } = standingIn(figures, program.id, rule, asked);
          const milestone = milestoneKey(kind, kind.currency);
          return { ruleId: rule.id, beneficiaryId, milestone, value, lowest: ofBoth, ofReviews };
        }),
      ),
  );
}

function hasReached(figures: Figures, programId: string, ruleId: string, subject: string): boolean {
  const { reached } = milestoneNames(ruleId);
  return (figures.get(figureKey({ subject, part: programId, name: reached }))?.value ?? 0n) > 0n;
}

/** The measure of all time now, and what would be left of it in the worst case. */
function standingIn(
  figures: Figures,
  programId: string,
  { beneficiaryRole: role }: BookedRule,
  asked: MilestoneKind & { readonly beneficiaryId: string },
) {
  const staked = readStaked(figures, programId, { ...asked, role });
  return { value: staked.value, ...worstOf(staked) };
}

interface MilestoneKind {
  readonly measure: Measure;
  readonly currency: string | null;
}

/** What the milestones of a rule's versions are of, each once. */
function milestoneKinds({ terms }: BookedRule): MilestoneKind[] {
  const kinds = terms.flatMap(({ milestone, currency }) =>
    milestone ? [{ measure: milestone.measure, currency }] : [],
  );
  return [...new Map(kinds.map((kind) => [milestoneKey(kind, kind.currency), kind])).values()];
}
