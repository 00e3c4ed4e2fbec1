import type { Unit } from '../../../domain/programs/program-book.ts';
import { findProgramNames, findUnits } from '../../../domain/programs/queries.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { findDailyFigures } from '../../../platform/figures/figures.ts';
import { exponentOf } from '../../../platform/kit/currencies.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { formatMinor } from '../../../platform/kit/money.ts';
import type { ViewDeps } from '../show-participant.ts';
import { dayAfter, daysBetween } from './day-range.ts';
import type { DailyFigures, Figures } from './figure-schema.ts';
import { DayNumbers, foldDaily, sumOf } from './fold-daily.ts';

export interface DailyQuery {
  readonly from: string;
  readonly to: string;
  readonly programId: string | null;
}

type Units = ReadonlyMap<string, Unit>;

/**
 * The figures of each day, from counters alone. Fails with INVALID_REQUEST for an invalid range,
 * NOT_FOUND for an unknown program.
 */
export function showDailyFigures(
  deps: Pick<ViewDeps, 'database'>,
  projectId: string,
  query: DailyQuery,
): Promise<DailyFigures> {
  const days = daysBetween(query.from, query.to);
  // In one snapshot, or the parts would not add up while facts arrive.
  return deps.database.snapshot((tx) => show(tx, projectId, query, days));
}

async function show(
  db: Queryable,
  projectId: string,
  { from, to, programId }: DailyQuery,
  days: readonly string[],
): Promise<DailyFigures> {
  const all = await findProgramNames(db, projectId);
  if (programId !== null && !all.has(programId)) throw notFound('program');
  const programs = [...all].filter(([id]) => programId === null || id === programId);
  const subjects = [projectId, ...programs.map(([id]) => id)];
  const range = { from, before: dayAfter(to) };
  const numbers = foldDaily(await findDailyFigures(db, projectId, subjects, range));
  const ofPrograms = programs.map(([id, name]) => ({ id, name, days: numbers.get(id) }));
  const total = sumOf(ofPrograms.flatMap((one) => [...(one.days?.values() ?? [])]));
  const units = await findUnits(db, projectId, [...total.under('unit').keys()]);
  const whole = (ofProject: DayNumbers, credited: DayNumbers) => ({
    ...present(credited, units),
    allSignups: ofProject.count('signups'),
    allPurchases: ofProject.count('purchases'),
  });
  const projectDays = numbers.get(projectId);
  return {
    from,
    to,
    total: whole(sumOf(projectDays?.values() ?? []), total),
    days: days.map((day) => ({
      day,
      ...whole(
        projectDays?.get(day) ?? new DayNumbers(),
        sumOf(ofPrograms.map((one) => one.days?.get(day))),
      ),
    })),
    programs: ofPrograms.map((one) => ({
      programId: one.id,
      name: one.name,
      total: present(sumOf(one.days?.values() ?? []), units),
      days: days.flatMap((day) => {
        const counted = one.days?.get(day);
        return counted ? [{ day, ...present(counted, units) }] : [];
      }),
    })),
  };
}

function present(numbers: DayNumbers, units: Units): Figures {
  const referrals = numbers.count('referrals');
  const converted = numbers.count('converted');
  const net = numbers.under('net');
  return {
    clicks: numbers.count('clicks'),
    signups: numbers.count('signups'),
    referrals,
    converted,
    conversionBps: referrals === 0 ? null : Math.round((converted * 10_000) / referrals),
    purchases: numbers.count('purchases'),
    rewards: numbers.count('rewards'),
    voidedRewards: numbers.count('voided'),
    // An amount earned in a currency is never removed, so every currency with a net is among these.
    money: [...numbers.under('amount')].map(([currency, amount]) => ({
      currency,
      currencyExponent: exponentOf(currency),
      amountMinor: formatMinor(amount),
      netAmountMinor: formatMinor(net.get(currency) ?? 0n),
    })),
    units: [...numbers.under('unit')].map(([unitId, quantity]) => {
      const unit = units.get(unitId);
      if (!unit) throw new Error(`Figures count in unknown units ${unitId}.`);
      const { key, name, namePlural } = unit;
      return {
        customUnitId: unitId,
        unitKey: key,
        name,
        namePlural,
        quantity: Number(quantity),
      };
    }),
  };
}
