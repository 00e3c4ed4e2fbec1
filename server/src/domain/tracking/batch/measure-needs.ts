import { figureKey, type Tally } from '../../../platform/figures/tally.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { BookedProgram, BookedRule, ProgramBook } from '../../programs/program-book.ts';
import type { Measure } from '../../programs/rules/measures.ts';
import { daysAround } from '../../programs/rules/window-days.ts';
import type { AskedMilestones } from '../../rewards/change/save-rewards.ts';
import { milestoneKey } from '../../rewards/decide/measured-benefit.ts';
import { milestoneNames } from '../../rewards/decide/reward-figures.ts';
import type { Purchase } from './facts.ts';
import { hasRejected, measureDaysOf, readMeasure, readStake } from './measures.ts';

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
 * purchases are adjusted and every open dispute is lost. Somebody who has earned none is not asked for.
 */
export function askedMilestones(
  { programs }: ProgramBook,
  figures: Tally,
  beneficiaryIds: readonly string[],
  { adjusted, hasLateSignup }: Changing,
): AskedMilestones[] {
  return [...programs.values()].flatMap((program) =>
    program.rules.flatMap((rule) =>
      beneficiaryIds
        .filter((id) => hasReached(figures, program.id, rule.id, id))
        .flatMap((id) => {
          // The number of referrals has only fallen if one was rejected.
          const withReferrals = hasLateSignup || hasRejected(figures, program.id, id);
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
    const { value, atStake } = standingIn(figures, program.id, rule, { ...kind, beneficiaryId });
    const loss = {
      referrals: () => 1n,
      purchases: () => BigInt(adjusted.length),
      revenue: () =>
        adjusted
          .filter((one) => one.currency === currency)
          .reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n),
    }[measure]();
    const milestone = milestoneKey({ measure }, currency);
    return { ruleId: rule.id, beneficiaryId, milestone, value, lowest: value - atStake - loss };
  }
}

/** Whose Rewards of milestones in a Program may change because figures have fallen, whatever made them fall. */
export function fallenMilestones(
  program: BookedProgram,
  [before, after]: readonly [before: Tally, after: Tally],
  beneficiaryIds: readonly string[],
): AskedMilestones[] {
  return program.rules.flatMap((rule) =>
    beneficiaryIds
      .filter((id) => hasReached(before, program.id, rule.id, id))
      .flatMap((beneficiaryId) =>
        milestoneKinds(rule).map((kind) => {
          const asked = { ...kind, beneficiaryId };
          const { value } = standingIn(before, program.id, rule, asked);
          const fallen = standingIn(after, program.id, rule, asked);
          const milestone = milestoneKey(kind, kind.currency);
          const lowest = fallen.value - fallen.atStake;
          return { ruleId: rule.id, beneficiaryId, milestone, value, lowest };
        }),
      ),
  );
}

function hasReached(figures: Tally, programId: string, ruleId: string, subject: string): boolean {
  const { reached } = milestoneNames(ruleId);
  return (figures.get(figureKey({ subject, part: programId, name: reached }))?.value ?? 0n) > 0n;
}

/** The measure of all time now, and how much of it would be gone if every open dispute was lost. */
function standingIn(
  figures: Tally,
  programId: string,
  { beneficiaryRole: role }: BookedRule,
  asked: MilestoneKind & { readonly beneficiaryId: string },
): { readonly value: bigint; readonly atStake: bigint } {
  const ever = { window: 'all_time', receivedAt: '' } as const;
  const { value } = readMeasure(figures, programId, { ...asked, role, ...ever });
  return { value, atStake: readStake(figures, programId, { ...asked, role }) };
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
