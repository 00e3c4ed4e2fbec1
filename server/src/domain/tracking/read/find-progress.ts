import type { Queryable } from '../../../platform/db/driver.ts';
import { findFiguresOfPart, loadDays } from '../../../platform/figures/figures.ts';
import { type Figure, figureKey } from '../../../platform/figures/tally.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { TermsVersion } from '../../programs/program-book.ts';
import { daysAround, needsDays } from '../../programs/rules/window-days.ts';
import { type AskedMilestones, listMilestones } from '../../rewards/change/save-rewards.ts';
import {
  decideProgress,
  measureOf,
  type Progress,
  type Standing,
} from '../../rewards/decide/decide-progress.ts';
import { isLostMilestone, milestoneAt } from '../../rewards/decide/lose-milestone.ts';
import { MULTIPLES_MAX, milestoneKey } from '../../rewards/decide/measured-benefit.ts';
import { givenName, milestoneNames } from '../../rewards/decide/reward-figures.ts';
import type { RewardRow } from '../../rewards/reward.ts';
import { measureDaysOf, readMeasure } from '../batch/measures.ts';
import { isReferred } from '../queries.ts';

/** Whose progress it is, in which Program, by the Project's clock. */
export interface AskedProgress {
  readonly projectId: string;
  readonly programId: string;
  readonly participantId: string;
  readonly now: Instant;
}

/**
 * The progress of a participant under these terms, which are those of one Program in force. Terms that do not grow are
 * left out, and those for referees unless somebody referred the participant in this Program. Reads one row of figures,
 * and at most 31 days if terms have a window; nothing if no terms grow.
 */
export async function findProgress(
  db: Queryable,
  { projectId, programId, participantId, now }: AskedProgress,
  terms: readonly TermsVersion[],
): Promise<Progress[]> {
  const growing = terms.filter((one) => measureOf(one) !== null);
  const isOfReferee = ({ beneficiaryRole }: TermsVersion) => beneficiaryRole === 'referee';
  const isReferee =
    growing.some(isOfReferee) && (await isReferred(db, projectId, programId, participantId));
  const own = growing.filter((one) => isReferee || !isOfReferee(one));
  if (own.length === 0) return [];
  const days = { subject: measureDaysOf(participantId, programId), ...daysAround(now) };
  const [figures, ofDays] = await Promise.all([
    findFiguresOfPart(db, projectId, participantId, programId),
    loadDays(db, projectId, own.some(needsDays) ? [days] : []),
  ]);
  const known = new Map([...figures, ...ofDays].map((one) => [figureKey(one), one]));
  const asked = own.flatMap((one) => askAbove(known, { programId, participantId, now }, one));
  const above = asked.length === 0 ? [] : await listMilestones(db, projectId, asked, MULTIPLES_MAX);
  return own.flatMap((one) => readProgress(known, { programId, participantId, now }, one, above));
}

type Known = ReadonlyMap<string, Figure>;
type Whose = Omit<AskedProgress, 'projectId'>;

/** Asks for the Rewards of milestones above the measure, which exist only if it has fallen. */
function askAbove(known: Known, whose: Whose, terms: TermsVersion): AskedMilestones[] {
  const { milestone, ruleId, currency } = terms;
  if (!milestone) return [];
  const { taken, value } = standingOf(known, whose, terms);
  if (BigInt(taken) * milestone.at <= value) return [];
  const { participantId: beneficiaryId } = whose;
  const key = milestoneKey(milestone, currency);
  return [{ ruleId, beneficiaryId, milestone: key, value, lowest: value }];
}

function standingOf(
  known: Known,
  { programId, participantId, now }: Whose,
  terms: TermsVersion,
): Omit<Standing, 'earnedAbove'> {
  const { ruleId, beneficiaryRole: role, currency } = terms;
  const count = (name: string) =>
    Number(known.get(figureKey({ subject: participantId, part: programId, name }))?.value ?? 0n);
  const names = milestoneNames(ruleId);
  const asked = { beneficiaryId: participantId, role, currency, receivedAt: now };
  const measured = measureOf(terms) ?? { measure: 'referrals', window: 'all_time' };
  return {
    ...readMeasure(known, programId, { ...asked, ...measured }),
    taken: count(names.reached),
    lost: count(names.lost),
    given: count(givenName(ruleId)),
  };
}

function readProgress(
  known: Known,
  whose: Whose,
  terms: TermsVersion,
  above: readonly RewardRow[],
): readonly Progress[] {
  const earnedAbove = above
    .filter((reward) => reward.ruleId === terms.ruleId && !isLostMilestone(reward))
    .map(milestoneAt);
  const progress = decideProgress(terms, { ...standingOf(known, whose, terms), earnedAbove });
  return progress ? [progress] : [];
}
