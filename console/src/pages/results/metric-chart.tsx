import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { formatMinor } from '../../ui/money.tsx';
import { Section } from '../../ui/section.tsx';
import { formatCount } from '../home/format-count.ts';
import {
  type Currency,
  costIn,
  formatTimes,
  type Metric,
  type MetricFigures,
  metricValue,
  revenueIn,
} from './numbers.ts';
import { HUES, METRICS, type MetricWords, sayMetric } from './tiles.tsx';

/** The numbers are shown first; the chart is loaded meanwhile. */
const TimeChart = lazy(async () => ({
  default: (await import('../../ui/time-chart.tsx')).TimeChart,
}));

const COLOURS = {
  green: ['#1f5f4a', '#7fd3b0'],
  blue: ['#1c6fb8', '#74b6f2'],
  orange: ['#b35309', '#f4a45f'],
} as const;

/** Up to here an axis has a step for every whole number: there is no half customer. */
const WHOLE_STEPS = 5;

interface MetricChartProps {
  readonly metrics?: readonly MetricWords[];
  readonly figures: MetricFigures;
  readonly metric: Metric;
  readonly currency: Currency | undefined;
}

/** The chosen metric by day. */
export function MetricChart({ metrics = METRICS, figures, metric, currency }: MetricChartProps) {
  const label = metrics.find((one) => one.metric === metric)?.label ?? '';
  const isMoney = metric === 'revenue' || metric === 'cost';
  const code = currency?.code;
  const format = useMemo(() => {
    if (metric === 'return') return formatTimes;
    if (!isMoney || code === undefined) return formatCount;
    const written = new Intl.NumberFormat(undefined, { style: 'currency', currency: code });
    return (value: number) => written.format(value);
  }, [metric, isMoney, code]);
  const days = useMemo(() => figures.days.map(({ day }) => day), [figures]);
  const series = useMemo(() => {
    const sums = metric === 'revenue' ? revenueIn : costIn;
    return [
      {
        label: isMoney && code ? `${label} (${code})` : label,
        colour: COLOURS[HUES[metric]],
        values: figures.days.map((day) => metricValue(metric, day, currency)),
        ...(isMoney && currency
          ? {
              texts: figures.days.map((day) =>
                formatMinor(sums(day, currency), currency.code, currency.exponent),
              ),
            }
          : {}),
      },
    ];
  }, [figures, metric, isMoney, code, label, currency]);
  const total = sayMetric(metric, figures.total, currency);
  return (
    <Section title={`${label} by day${isMoney && code ? `, in ${code}` : ''}`}>
      <Suspense fallback={<Skeleton height={220} aria-busy="true" role="status" />}>
        <TimeChart
          days={days}
          series={series}
          summary={`${label} by day, from ${figures.from} to ${figures.to} (UTC): ${total} in all.`}
          format={format}
          least={isMoney || metric === 'return' ? 1 : WHOLE_STEPS}
        />
      </Suspense>
    </Section>
  );
}
