import type { Unit } from '../../../domain/programs/program-book.ts';
import { findProgramNames, findUnits } from '../../../domain/programs/queries.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { findDailyFigures } from '../../../platform/figures/figures.ts';
import { exponentOf } from '../../../platform/kit/currencies.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { formatMinor } from '../../../platform/kit/money.ts';
import type { ViewDeps } from '../show-participant.ts';
import { dayAfter, daysBefore, daysBetween } from './day-range.ts';
import type { DailyFigures, Figures } from './figure-schema.ts';
import { type DayNumbers, foldDaily, sumOf } from './fold-daily.ts';
import { presentRevenue } from './present-money.ts';

export interface DailyQuery {
  readonly from: string;
  readonly to: string;
  readonly programId: string | null;
  readonly compare: 'previous' | null;
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
  { from, to, programId, compare }: DailyQuery,
  days: readonly string[],
): Promise<DailyFigures> {
  const all = await findProgramNames(db, projectId);
  if (programId !== null && !all.has(programId)) throw notFound('program');
  const programs = [...all].filter(([id]) => programId === null || id === programId);
  const ids = programs.map(([id]) => id);
  const before = compare === 'previous' ? daysBefore(from, days.length) : [];
  const range = { from: before[0] ?? from, before: dayAfter(to) };
  const numbers = foldDaily(await findDailyFigures(db, projectId, [projectId, ...ids], range));
  const on = (subjects: readonly string[], some: readonly string[]) =>
    sumOf(subjects.flatMap((id) => some.map((day) => numbers.get(id)?.get(day))));
  const everything = on(ids, [...before, ...days]);
  const units = await findUnits(db, projectId, [...everything.under('unit').keys()]);
  const whole = (some: readonly string[]) => ({
    ...present(on(ids, some), units),
    allSignups: on([projectId], some).count('signups'),
    allPurchases: on([projectId], some).count('purchases'),
  });
  return {
    from,
    to,
    total: whole(days),
    days: days.map((day) => ({ day, ...whole([day]) })),
    previous:
      before.length === 0
        ? null
        : { from: before[0] ?? '', to: before.at(-1) ?? '', total: whole(before) },
    programs: programs.map(([id, name]) => ({
      programId: id,
      name,
      total: present(on([id], days), units),
      days: days.flatMap((day) => {
        const counted = numbers.get(id)?.get(day);
        return counted ? [{ day, ...present(counted, units) }] : [];
      }),
    })),
  };
}

function present(numbers: DayNumbers, units: Units): Figures {
  const referrals = numbers.count('referrals');
  const converted = numbers.count('converted');
  const net = numbers.under('net');
  const paid = numbers.under('paid');
  return {
    clicks: numbers.count('clicks'),
    signups: numbers.count('signups'),
    referrals,
    converted,
    conversionBps: referrals === 0 ? null : Math.round((converted * 10_000) / referrals),
    purchases: numbers.count('purchases'),
    customers: numbers.count('customers'),
    revenue: presentRevenue(numbers),
    rewards: numbers.count('rewards'),
    voidedRewards: numbers.count('voided'),
    // An amount earned in a currency is never removed, so every currency with a net is among these.
    money: [...numbers.under('amount')].map(([currency, amount]) => ({
      currency,
      currencyExponent: exponentOf(currency),
      amountMinor: formatMinor(amount),
      netAmountMinor: formatMinor(net.get(currency) ?? 0n),
      paidAmountMinor: formatMinor(paid.get(currency) ?? 0n),
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
