import { Paper, SimpleGrid, Skeleton, Text, Title } from '@mantine/core';
import { type ComponentProps, lazy, type ReactNode, Suspense, useMemo } from 'react';
import type { Answer } from '../../api/client.ts';
import { formatBps } from '../../ui/format-rate.ts';
import { formatMinor } from '../../ui/money.tsx';
import type { Series, TimeChart } from '../../ui/time-chart.tsx';

/** The numbers are shown first; the chart is loaded meanwhile. */
const LazyChart = lazy(async () => ({
  default: (await import('../../ui/time-chart.tsx')).TimeChart,
}));

function Chart(props: ComponentProps<typeof TimeChart>) {
  return (
    <Suspense fallback={<Skeleton height={262} aria-busy="true" role="status" />}>
      <LazyChart {...props} />
    </Suspense>
  );
}

export type Figures = Answer<'/v1/figures/daily'>['data'];

export const formatCount = new Intl.NumberFormat().format;

function Tile({ label, note, children }: { label: string; note?: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text className="figure" size="xl" fw={650} component="div">
        {children}
      </Text>
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Paper>
  );
}

export function FigureTiles({ figures: { total } }: { figures: Figures }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="md">
      <Tile label="Link clicks">{formatCount(total.clicks)}</Tile>
      <Tile label="Referred signups" note={`of ${formatCount(total.allSignups)} in all`}>
        {formatCount(total.signups)}
      </Tile>
      <Tile label="Referrals">{formatCount(total.referrals)}</Tile>
      <Tile label="Conversion" note="referred people who bought">
        {formatBps(total.conversionBps)}
      </Tile>
      <Tile label="Rewards" note={costNote(total)}>
        {formatCount(total.rewards)}
      </Tile>
    </SimpleGrid>
  );
}

function costNote({ money }: Figures['total']): string {
  const sums = money.map((one) =>
    formatMinor(one.netAmountMinor, one.currency, one.currencyExponent),
  );
  return sums.length > 0 ? `${sums.join(' + ')} net` : 'no money yet';
}

const GREEN = ['#1f5f4a', '#7fd3b0'] as const;
const BLUE = ['#1c6fb8', '#74b6f2'] as const;
const ORANGE = ['#b35309', '#f4a45f'] as const;

/** Up to here an axis has a step for every whole number: there is no half referral. */
const WHOLE_STEPS = 5;
const ONE_PERCENT = 100;

export function OverTime({ figures }: { figures: Figures }) {
  const days = figures.days.map(({ day }) => day);
  const span = `from ${figures.from} to ${figures.to} (UTC)`;
  const people: Series[] = [
    { label: 'All signups', colour: BLUE, values: figures.days.map((day) => day.allSignups) },
    { label: 'Referrals', colour: GREEN, values: figures.days.map(({ referrals }) => referrals) },
    { label: 'Rewards', colour: ORANGE, values: figures.days.map(({ rewards }) => rewards) },
  ];
  return (
    <SimpleGrid cols={{ base: 1, md: figures.total.referrals > 0 ? 2 : 1 }} spacing="lg">
      <Paper withBorder p="md">
        <Title order={2} mb="sm">
          People
        </Title>
        <Chart
          days={days}
          series={people}
          summary={`All signups, referrals and rewards by day, ${span}: ${figures.total.allSignups} signups, ${figures.total.referrals} referrals, ${figures.total.rewards} rewards in all.`}
          format={formatCount}
          least={WHOLE_STEPS}
        />
      </Paper>
      {figures.total.conversionBps !== null && (
        <Paper withBorder p="md">
          <Title order={2} mb="sm">
            Conversion, by day of the referral
          </Title>
          <Chart
            days={days}
            series={[
              {
                label: 'Bought since',
                colour: BLUE,
                values: figures.days.map(({ conversionBps }) => conversionBps),
              },
            ]}
            summary={`Conversion by the day of the referral, ${span}: ${formatBps(figures.total.conversionBps)} in all.`}
            format={formatBps}
            least={ONE_PERCENT}
          />
        </Paper>
      )}
      {figures.total.money.map((sum) => (
        <Cost key={sum.currency} figures={figures} sum={sum} span={span} />
      ))}
    </SimpleGrid>
  );
}

interface CostProps {
  readonly figures: Figures;
  readonly sum: Figures['total']['money'][number];
  readonly span: string;
}

/** One chart per currency: on a common axis a thousand yen would dwarf a hundred euro. */
function Cost({ figures, sum, span }: CostProps) {
  const { currency, currencyExponent, netAmountMinor } = sum;
  const format = useMemo(() => {
    const written = new Intl.NumberFormat(undefined, { style: 'currency', currency });
    return (value: number) => written.format(value);
  }, [currency]);
  const days = figures.days.map(({ day }) => day);
  const amounts = figures.days.map(
    ({ money }) => money.find((other) => other.currency === currency)?.netAmountMinor ?? '0',
  );
  const values = amounts.map((minor) => Number(minor) / 10 ** currencyExponent);
  const texts = amounts.map((minor) => formatMinor(minor, currency, currencyExponent));
  return (
    <Paper withBorder p="md">
      <Title order={2} mb="sm">
        What rewards cost, net{figures.total.money.length > 1 ? `, in ${currency}` : ''}
      </Title>
      <Chart
        days={days}
        series={[{ label: currency, colour: GREEN, values, texts }]}
        summary={`Net cost of rewards in ${currency} by day, ${span}: ${formatMinor(netAmountMinor, currency, currencyExponent)} in all.`}
        format={format}
        least={1}
      />
    </Paper>
  );
}
