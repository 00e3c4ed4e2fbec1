import './results.css';
import { Grid, Group, SegmentedControl, Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Cohorts } from './cohorts.tsx';
import { Funnel } from './funnel.tsx';
import { MetricChart } from './metric-chart.tsx';
import { currenciesOf, type Figures, type Metric } from './numbers.ts';
import { METRICS, Tiles } from './tiles.tsx';

interface ResultsProps {
  readonly figures: Figures;
  readonly programId: string | undefined;
}

/** The results of a period as pictures. The chosen number and currency are in the address. */
export default function Results({ figures, programId }: ResultsProps) {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const choose = (next: Record<string, string>) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...next }), replace: true });
  const currencies = currenciesOf(figures);
  const currency = currencies.find(({ code }) => code === search.currency) ?? currencies[0];
  const metric: Metric =
    METRICS.find((one) => one.metric === search.metric)?.metric ??
    (figures.total.revenue.length > 0 ? 'revenue' : 'signups');
  return (
    <Stack gap="lg">
      {currencies.length > 1 && (
        <Group justify="flex-end" gap="xs">
          <SegmentedControl
            aria-label="Currency"
            size="xs"
            data={currencies.map(({ code }) => code)}
            value={currency?.code ?? ''}
            onChange={(code) => choose({ currency: code })}
          />
        </Group>
      )}
      <Tiles
        figures={figures}
        currency={currency}
        chosen={metric}
        choose={(chosen) => choose({ metric: chosen })}
      />
      <MetricChart figures={figures} metric={metric} currency={currency} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Funnel figures={figures} currency={currency} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Cohorts to={figures.to} programId={programId} />
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
