/**
 * From zero, or below it if there are negative values, to a little above the highest: at least to
 * `least`.
 */
export const axisRange = (low: number, high: number, least: number): [number, number] => [
  Math.min(0, low),
  Math.max(high * 1.1, least),
];

/** Of equal neighbouring labels only the first is shown. */
export const labelTicks = (
  ticks: readonly number[],
  format: (value: number) => string,
): string[] => {
  const labels = ticks.map((value) => format(value));
  return labels.map((label, index) => (label === labels[index - 1] ? '' : label));
};

const LEAST_SIZE = 40;
const CHARACTER = 7;

/** The width of an axis, in pixels: enough for its longest label. Null before there are labels. */
export const axisSize = (labels: readonly string[] | null): number =>
  Math.max(LEAST_SIZE, 14 + CHARACTER * Math.max(0, ...(labels ?? []).map(({ length }) => length)));
