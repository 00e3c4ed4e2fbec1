import { Text, UnstyledButton } from '@mantine/core';
import { breakable, formatMinor } from '../../ui/money.tsx';
import { formatCount } from '../home/format-count.ts';
import {
  type Currency,
  costIn,
  formatGrowth,
  formatTimes,
  growthOf,
  type Metric,
  type MetricFigures,
  metricValue,
  revenueIn,
} from './numbers.ts';
import { Sparkline } from './sparkline.tsx';

export interface MetricWords {
  readonly metric: Metric;
  readonly label: string;
  /** Whether more of it is better; null if it is neither good nor bad. */
  readonly isGood: boolean | null;
}

export const METRICS: readonly MetricWords[] = [
  { metric: 'clicks', label: 'Link clicks', isGood: true },
  { metric: 'signups', label: 'Signups by referral', isGood: true },
  { metric: 'customers', label: 'New customers', isGood: true },
  { metric: 'revenue', label: 'Referred revenue', isGood: true },
  { metric: 'cost', label: 'Reward cost', isGood: null },
  { metric: 'return', label: 'Return on rewards', isGood: true },
];

/** What leads to a sale, the sale, and its cost have a colour each. */
export const HUES: Readonly<Record<Metric, 'green' | 'blue' | 'orange'>> = {
  clicks: 'blue',
  signups: 'blue',
  customers: 'green',
  revenue: 'green',
  cost: 'orange',
  return: 'green',
};

/** A metric of a period as text, exact for amounts. */
export function sayMetric(
  metric: Metric,
  totals: MetricFigures['total'],
  currency: Currency | undefined,
): string {
  if (metric === 'revenue' || metric === 'cost') {
    if (!currency) return '–';
    const minor = metric === 'revenue' ? revenueIn(totals, currency) : costIn(totals, currency);
    return formatMinor(minor, currency.code, currency.exponent);
  }
  const value = metricValue(metric, totals, currency);
  if (value === null) return '–';
  return metric === 'return' ? formatTimes(value) : formatCount(value);
}

interface TilesProps {
  readonly metrics?: readonly MetricWords[];
  readonly figures: MetricFigures;
  readonly currency: Currency | undefined;
  readonly chosen: Metric;
  readonly choose: (metric: Metric) => void;
}

/** The numbers of a period. Each is a switch for the chart below. */
export function Tiles({ metrics = METRICS, figures, currency, chosen, choose }: TilesProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is shown
    <div
      className="tiles"
      data-count={metrics.length}
      role="group"
      aria-label="Numbers of this period; choose one for the chart"
    >
      {metrics.map((words) => (
        <Tile
          key={words.metric}
          {...words}
          figures={figures}
          currency={currency}
          isChosen={words.metric === chosen}
          choose={() => choose(words.metric)}
        />
      ))}
    </div>
  );
}

interface TileProps extends MetricWords {
  readonly figures: MetricFigures;
  readonly currency: Currency | undefined;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

function Tile({ metric, label, isGood, figures, currency, isChosen, choose }: TileProps) {
  const { total, days } = figures;
  return (
    <UnstyledButton
      className="tile"
      data-hue={HUES[metric]}
      data-chosen={isChosen || undefined}
      aria-pressed={isChosen}
      onClick={choose}
    >
      <Text size="sm" c="dimmed" component="span" className="tile-label">
        {label}
      </Text>
      <span className="tile-value figure">{breakable(sayMetric(metric, total, currency))}</span>
      <Change metric={metric} isGood={isGood} figures={figures} currency={currency} />
      <Sparkline values={days.map((day) => metricValue(metric, day, currency))} />
    </UnstyledButton>
  );
}

function Change({
  metric,
  isGood,
  figures: { total, previous },
  currency,
}: Pick<TileProps, 'metric' | 'isGood' | 'figures' | 'currency'>) {
  const before = previous ? metricValue(metric, previous.total, currency) : null;
  const growth = growthOf(metricValue(metric, total, currency), before);
  const past = previous && before !== null ? sayMetric(metric, previous.total, currency) : null;
  if (growth === null) {
    return (
      <span className="tile-change">
        {past === null ? 'nothing to compare with' : `${past} before`}
      </span>
    );
  }
  const isUp = Math.round(growth * 100) > 0;
  const isFlat = Math.round(growth * 100) === 0;
  const tone = isGood === null || isFlat ? 'even' : isUp === isGood ? 'good' : 'bad';
  return (
    <span className="tile-change">
      <span className="tile-growth figure" data-tone={tone}>
        {formatGrowth(growth)}
      </span>{' '}
      from {past}
    </span>
  );
}
