import { useMemo } from 'react';
import { LineChart, type Series } from './line-chart.tsx';

interface TimeChartProps {
  /** Announced in place of the chart: what it shows, in a sentence. */
  readonly summary: string;
  /** ISO days, ascending. */
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** The minimum end of the axis. */
  readonly least: number;
}

const AXIS = {
  label: 'Day (UTC)',
  isTime: true,
  format: (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10),
};

/** Numbers by day. */
export function TimeChart({ days, ...props }: TimeChartProps) {
  const places = useMemo(() => days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000), [days]);
  return <LineChart {...props} places={places} axis={AXIS} />;
}
