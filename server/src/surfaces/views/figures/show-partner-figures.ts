import { findByPartner } from '../../../domain/participants/queries.ts';
import { findProgramNames } from '../../../domain/programs/queries.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import type { ViewDeps } from '../show-participant.ts';
import { daysBefore, daysBetween } from './day-range.ts';
import type { PartnerDailyFigures, PartnerFigures } from './figure-schema.ts';
import { type DayNumbers, sumOf } from './fold-daily.ts';
import { loadPartnerDays } from './load-partner-days.ts';
import { presentMoney, presentRevenue } from './present-money.ts';
import type { DailyQuery } from './show-daily-figures.ts';

/**
 * The figures of a Partner by day in one Project, from counters alone. Fails with INVALID_REQUEST for an
 * invalid range, NOT_FOUND for an unknown program, or a partner that is not in the Project or was erased.
 */
export function showPartnerFigures(
  deps: Pick<ViewDeps, 'database'>,
  projectId: string,
  partnerId: string,
  { from, to, programId, compare }: DailyQuery,
): Promise<PartnerDailyFigures> {
  const days = daysBetween(from, to);
  return deps.database.snapshot(async (tx) => {
    const [participant, all] = await Promise.all([
      findByPartner(tx, projectId, partnerId),
      findProgramNames(tx, projectId),
    ]);
    if (!participant || participant.deletedAt !== null) throw notFound('partner');
    if (programId !== null && !all.has(programId)) throw notFound('program');
    const programs = [...all].filter(([id]) => programId === null || id === programId);
    const past = compare === 'previous' ? daysBefore(from, days.length) : [];
    const numbers = await loadPartnerDays(tx, projectId, {
      participantId: participant.id,
      programIds: programs.map(([id]) => id),
      from: past[0] ?? from,
      to,
    });
    const on = (some: readonly string[]) =>
      sumOf([...numbers.values()].flatMap((ofDay) => some.map((day) => ofDay.get(day))));
    return {
      partnerId,
      participantId: participant.id,
      from,
      to,
      total: presentPartner(on(days)),
      days: days.map((day) => ({ day, ...presentPartner(on([day])) })),
      previous:
        past.length === 0
          ? null
          : { from: past[0] ?? '', to: past.at(-1) ?? '', total: presentPartner(on(past)) },
      programs: programs.flatMap(([id, name]) => {
        const counted = days.flatMap((day) => {
          const numbersOfDay = numbers.get(id)?.get(day);
          return numbersOfDay ? [{ day, numbersOfDay }] : [];
        });
        if (counted.length === 0) return [];
        return [
          {
            programId: id,
            name,
            total: presentPartner(sumOf(counted.map(({ numbersOfDay }) => numbersOfDay))),
            days: counted.map(({ day, numbersOfDay }) => ({
              day,
              ...presentPartner(numbersOfDay),
            })),
          },
        ];
      }),
    };
  });
}

export function presentPartner(numbers: DayNumbers): PartnerFigures {
  return {
    clicks: numbers.count('clicks'),
    referrals: numbers.count('referrals'),
    customers: numbers.count('customers'),
    purchases: numbers.count('purchases'),
    revenue: presentRevenue(numbers),
    earned: presentMoney(numbers.under('net')),
  };
}
