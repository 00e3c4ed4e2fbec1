import '../results/results.css';
import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { keepOfProject } from '../../ui/keep-of-project.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { RangePicker } from '../home/range-picker.tsx';
import { useRange } from '../home/use-range.ts';
import { MetricChart } from '../results/metric-chart.tsx';
import { currenciesOf, type Metric, type MetricFigures } from '../results/numbers.ts';
import { type MetricWords, Tiles } from '../results/tiles.tsx';

const PARTNER_METRICS: readonly MetricWords[] = [
  { metric: 'clicks', label: 'Link clicks', isGood: true },
  { metric: 'signups', label: 'Referrals', isGood: true },
  { metric: 'customers', label: 'New customers', isGood: true },
  { metric: 'revenue', label: 'Sales', isGood: true },
  { metric: 'cost', label: 'Earned', isGood: null },
];

type PartnerFigures = Answer<'/v1/partners/{partnerId}/figures'>['data'];

/** A partner's referrals and earnings are shown where a project has signups and costs. */
function toMetricFigures({ from, to, total, days, previous }: PartnerFigures): MetricFigures {
  const renamed = <T extends PartnerFigures['total']>(one: T) => ({
    ...one,
    signups: one.referrals,
    money: one.earned,
  });
  return {
    from,
    to,
    total: renamed(total),
    days: days.map(renamed),
    previous: previous && { total: renamed(previous.total) },
  };
}

interface PartnerResultsProps {
  readonly partnerId: string;
  readonly projectId: string;
  readonly projectName: string;
}

/** What a partner brought and earned in a project, by day. The period and the number are in the address. */
export function PartnerResults({ partnerId, projectId, projectName }: PartnerResultsProps) {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const { range, isReady } = useRange(projectId);
  const { from, to } = range;
  const { data, error, refetch } = useQuery({
    queryKey: ['partner-figures', projectId, partnerId, from, to],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/partners/{partnerId}/figures', {
            params: { path: { partnerId }, query: { projectId, from, to, compare: 'previous' } },
            signal,
          }),
        )
      ).data,
    enabled: isReady,
    placeholderData: keepOfProject(projectId),
  });
  const choose = (next: Record<string, string>) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...next }), replace: true });
  const figures = data && toMetricFigures(data);
  const currencies = figures ? currenciesOf(figures) : [];
  const currency = currencies.find(({ code }) => code === search.currency) ?? currencies[0];
  const metric: Metric =
    PARTNER_METRICS.find((one) => one.metric === search.metric)?.metric ?? 'signups';
  return (
    <Section
      title={`Results in ${projectName}`}
      actions={
        <>
          {currencies.length > 1 && (
            <SegmentedControl
              aria-label="Currency"
              size="xs"
              data={currencies.map(({ code }) => code)}
              value={currency?.code ?? ''}
              onChange={(code) => choose({ currency: code })}
            />
          )}
          <RangePicker range={range} />
        </>
      }
    >
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {!error && !figures && <Lines count={4} height={90} />}
      {figures && (
        <>
          <Tiles
            metrics={PARTNER_METRICS}
            figures={figures}
            currency={currency}
            chosen={metric}
            choose={(chosen) => choose({ metric: chosen })}
          />
          <MetricChart
            metrics={PARTNER_METRICS}
            figures={figures}
            metric={metric}
            currency={currency}
          />
        </>
      )}
    </Section>
  );
}
