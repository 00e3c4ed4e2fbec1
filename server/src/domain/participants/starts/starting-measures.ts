import { type Figure, figure } from '../../../platform/figures/tally.ts';
import { CURRENCY_EXPONENTS } from '../../../platform/kit/currencies.ts';
import type { Issue } from '../../../platform/kit/errors.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { ProgramStart, StartingMeasures } from '../schema.ts';

/** The figure of a carried measure, in the row of the participant and the Program. */
export function carriedName(measure: string): string {
  return `carried:${measure}`;
}

/** What is wrong, beyond the form of the fields. */
export function checkStart({ revenue }: StartingMeasures): Issue[] {
  const codes = (revenue ?? []).map(({ currency }) => currency.toUpperCase());
  return codes.flatMap((code, index) => {
    const path = `startingMeasures.revenue.${index}.currency`;
    if (!CURRENCY_EXPONENTS.has(code)) {
      return [{ path, issue: 'must be an ISO 4217 currency that has a minor unit' }];
    }
    return codes.indexOf(code) < index ? [{ path, issue: `names ${code} a second time` }] : [];
  });
}

/** As it is stored: equal starts are written alike. Null if nothing is carried over. */
export function normalizeStart(
  programId: string,
  given: StartingMeasures,
  importedAt: Instant,
): ProgramStart | null {
  const revenue = (given.revenue ?? [])
    .filter(({ amountMinor }) => amountMinor !== '0')
    .map(({ currency, amountMinor }) => ({ currency: currency.toUpperCase(), amountMinor }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
  const { referrals, purchases } = given;
  const start = {
    programId,
    referrals: referrals ?? '0',
    purchases: purchases ?? '0',
    revenue,
    importedAt,
  };
  return startFigures('', start).length === 0 ? null : start;
}

/**
 * The starts of a participant with this one of a Program: the same list if it is there already, or if nothing is
 * carried over; 'differs' if the Program has another. A start is set once, because what was earned since depends on it.
 */
export function decideStarts(
  before: readonly ProgramStart[],
  { programId, importedAt }: Pick<ProgramStart, 'programId' | 'importedAt'>,
  given: StartingMeasures,
): readonly ProgramStart[] | 'differs' {
  const start = normalizeStart(programId, given, importedAt);
  const known = before.find((one) => one.programId === programId);
  if (known) return isSame(known, start) ? before : 'differs';
  if (!start) return before;
  return [...before, start].sort((a, b) => (a.programId < b.programId ? -1 : 1));
}

function isSame(known: ProgramStart, start: ProgramStart | null): boolean {
  const write = ({ referrals, purchases, revenue }: ProgramStart) =>
    [referrals, purchases, ...revenue.map((one) => `${one.amountMinor} ${one.currency}`)].join();
  return start !== null && write(known) === write(start);
}

/** What a start adds to the measures of a referrer. */
export function startFigures(
  participantId: string,
  { programId, referrals, purchases, revenue }: ProgramStart,
): Figure[] {
  const carried = (measure: string, value: string) =>
    figure(participantId, programId, carriedName(measure), BigInt(value));
  return [
    carried('referrals', referrals),
    carried('purchases', purchases),
    ...revenue.map((one) => carried(`revenue:${one.currency}`, one.amountMinor)),
  ].filter(({ value }) => value !== 0n);
}
