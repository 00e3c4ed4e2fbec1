import { findProgramNames } from '../../../domain/programs/queries.ts';
import { campaignsOf } from '../../../domain/tracking/batch/campaign-figures.ts';
import {
  OTHER_CAMPAIGNS,
  readCampaignName,
  readCampaignPart,
} from '../../../domain/tracking/decide/decide-campaign.ts';
import { findDailyFigures } from '../../../platform/figures/figures.ts';
import type { Figure } from '../../../platform/figures/tally.ts';
import { invalid, notFound } from '../../../platform/kit/errors.ts';
import type { ViewDeps } from '../show-participant.ts';
import type { CampaignFigures } from './figure-schema.ts';
import { DayNumbers, sumOf } from './fold-daily.ts';
import { presentRevenue } from './present-money.ts';

export const MONTHS_MAX = 24;

interface CampaignsAsked {
  /** The first and the last month, as `YYYY-MM`. */
  readonly from: string;
  readonly to: string;
  readonly programId: string | null;
  readonly limit: number;
}

/**
 * The campaigns with the most referrals in some months, in one program or in all; from counters alone. Fails
 * with INVALID_REQUEST for an invalid range, NOT_FOUND for an unknown program.
 */
export function listCampaigns(
  deps: Pick<ViewDeps, 'database'>,
  projectId: string,
  { from, to, programId, limit }: CampaignsAsked,
): Promise<CampaignFigures[]> {
  const first = monthNumber('from', from);
  const months = monthNumber('to', to) - first + 1;
  if (months < 1) throw invalid('to', 'must not be before from');
  if (months > MONTHS_MAX) throw invalid('to', `must be at most ${MONTHS_MAX} months after from`);
  return deps.database.snapshot(async (tx) => {
    const all = await findProgramNames(tx, projectId);
    if (programId !== null && !all.has(programId)) throw notFound('program');
    const subjects = [...all.keys()]
      .filter((id) => programId === null || id === programId)
      .map(campaignsOf);
    const range = { from, before: monthAfter(to) };
    return foldCampaigns(await findDailyFigures(tx, projectId, subjects, range)).slice(0, limit);
  });
}

function monthNumber(field: string, month: string): number {
  const [year = '', number = ''] = month.split('-');
  if (Number(number) < 1 || Number(number) > 12) throw invalid(field, 'is not a month');
  return Number(year) * 12 + Number(number);
}

function monthAfter(month: string): string {
  const next = monthNumber('to', month);
  const [year, number] = [Math.floor(next / 12), (next % 12) + 1];
  return `${String(year).padStart(4, '0')}-${String(number).padStart(2, '0')}`;
}

/** By name, over all programs and months: the most referrals first, and the others last. */
function foldCampaigns(figures: readonly Figure[]): CampaignFigures[] {
  const campaigns = new Map<string, Map<string, DayNumbers>>();
  for (const { part, name: number, value } of figures) {
    const { month, name } = readCampaignPart(part);
    const months = campaigns.get(name) ?? new Map<string, DayNumbers>();
    campaigns.set(name, months);
    const numbers = months.get(month) ?? new DayNumbers();
    months.set(month, numbers);
    numbers.add(number, value);
  }
  return [...campaigns]
    .map(([name, months]) => ({
      ...readCampaignName(name),
      isOther: name === OTHER_CAMPAIGNS,
      ...present(sumOf(months.values())),
      months: [...months]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([month, numbers]) => ({ month, ...present(numbers) })),
    }))
    .sort((a, b) => Number(a.isOther) - Number(b.isOther) || b.referrals - a.referrals);
}

function present(numbers: DayNumbers) {
  return {
    referrals: numbers.count('referrals'),
    customers: numbers.count('customers'),
    revenue: presentRevenue(numbers),
  };
}
