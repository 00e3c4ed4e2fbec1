import { addToTally, type Figure, type Tally } from '../../../platform/figures/tally.ts';
import { type Difference, difference } from '../finding.ts';

/** Stored figures that differ from a recount. A missing figure counts as zero. */
export function compareFigures(
  stored: readonly Figure[],
  recounted: readonly Figure[],
): Difference[] {
  const [kept, due] = [tallyOf(stored), tallyOf(recounted)];
  return [...new Set([...kept.keys(), ...due.keys()])].flatMap((key) => {
    const [here, there] = [kept.get(key), due.get(key)];
    const { subject, name } = (here ?? there) as Figure;
    const id = `${subject} ${name}`;
    const [value, dueValue] = [here?.value ?? 0n, there?.value ?? 0n];
    return value === dueValue
      ? []
      : [difference('counter', id, 'value', { stored: value, expected: dueValue })];
  });
}

function tallyOf(figures: readonly Figure[]): Tally {
  const tally: Tally = new Map();
  for (const one of figures) addToTally(tally, one);
  return tally;
}
