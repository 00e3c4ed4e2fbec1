const WIDTH = 120;
const HEIGHT = 32;

/** The course of a number, without axes. It says nothing that the chart and its table do not say. */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const numbers = values.map((value) => value ?? 0);
  const high = Math.max(...numbers, 0);
  const low = Math.min(...numbers, 0);
  const span = high - low || 1;
  const last = Math.max(numbers.length - 1, 1);
  const points = numbers.map((value, index) => {
    const x = (index / last) * WIDTH;
    const y = HEIGHT - 2 - ((value - low) / span) * (HEIGHT - 4);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  if (points.length < 2) return <svg className="sparkline" aria-hidden="true" />;
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
      <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
