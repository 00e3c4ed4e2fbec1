import { Alert, Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { DownloadIcon } from 'lucide-react';
import { exponentOf } from '../../../ui/currencies.ts';
import { SortedTable } from '../../../ui/lists/sorted-table.tsx';
import { PersonInline } from '../../../ui/person-cell.tsx';
import { Section } from '../../../ui/section.tsx';
import { TimeChart } from '../../../ui/time-chart.tsx';
import { Change, sayMinor } from './amount.tsx';
import { Differences } from './differences.tsx';
import type { Backtest, BacktestResult } from './queries.ts';
import { sayCompared, sayNotReproduced } from './say-result.ts';

/** What a back-test found. */
export function ResultView({ backtest, result }: { backtest: Backtest; result: BacktestResult }) {
  const { id, projectId } = backtest;
  const { events, reviews, referrals, totals } = result;
  return (
    <>
      <Section
        title="Before and after"
        intro={sayCompared(events.compared, events.different)}
        actions={
          <Button
            component="a"
            href={`/v1/backtests/${id}/export?projectId=${projectId}`}
            download
            variant="default"
            leftSection={<DownloadIcon size={16} />}
          >
            Export CSV
          </Button>
        }
      >
        {totals.length === 0 && <Text c="dimmed">No money was given in this period.</Text>}
        <Stack gap="xs">
          {totals.map((one) => (
            <Text key={one.currency} size="lg">
              <Change {...one} />
            </Text>
          ))}
        </Stack>
        <Text size="sm" c="dimmed">
          Referrals: {referrals.actual} → {referrals.proposed}. Reviews opened: {reviews.actual} →{' '}
          {reviews.proposed}.
        </Text>
        {events.notReproduced > 0 && (
          <Alert color="orange" variant="light">
            {sayNotReproduced(events.notReproduced)}
          </Alert>
        )}
        {totals.map(({ currency }) => (
          <DayChart key={currency} result={result} currency={currency} />
        ))}
        <RuleTable result={result} />
      </Section>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <People title="Would have earned more" list={result.byBeneficiary.up} />
        <People title="Would have earned less" list={result.byBeneficiary.down} />
      </SimpleGrid>
      {events.different > 0 && <Differences backtest={backtest} result={result} />}
    </>
  );
}

function DayChart({ result, currency }: { result: BacktestResult; currency: string }) {
  const exponent = exponentOf(currency) ?? 2;
  const ofDay = (field: 'actualMinor' | 'proposedMinor') =>
    result.byDay.map(({ totals }) => {
      const found = totals.find((one) => one.currency === currency);
      return found ? Number(found[field]) / 10 ** exponent : 0;
    });
  return (
    <TimeChart
      summary={`What was given by day in ${currency}, and what would have been.`}
      days={result.byDay.map(({ day }) => day)}
      series={[
        { label: 'Given', colour: ['#51605a', '#a7b5ae'], values: ofDay('actualMinor') },
        { label: 'Proposed', colour: ['#1f7a4d', '#5fc793'], values: ofDay('proposedMinor') },
      ]}
      format={(value) => sayMinor(String(Math.round(value * 10 ** exponent)), currency)}
      least={1}
    />
  );
}

type RuleResult = BacktestResult['byRule'][number];

const RULE_COLUMNS = [
  { title: 'Rule', cell: ({ name }: RuleResult) => name },
  { title: 'Given → proposed', align: 'end' as const, cell: RuleChange },
];

function RuleTable({ result }: { result: BacktestResult }) {
  return <SortedTable rows={result.byRule} columns={RULE_COLUMNS} idOf={({ ruleId }) => ruleId} />;
}

function RuleChange({ totals, units, discounts }: RuleResult) {
  return (
    <>
      {totals.map((one) => (
        <div key={one.currency}>
          <Change {...one} />
        </div>
      ))}
      {units.map((one) => (
        <div key={one.unitId}>
          {one.actual} → <b>{one.proposed}</b> {one.name}
        </div>
      ))}
      {discounts && (
        <div>
          {discounts.actual} → <b>{discounts.proposed}</b> discounts
        </div>
      )}
    </>
  );
}

type Beneficiaries = BacktestResult['byBeneficiary']['up'];

function People({ title, list }: { title: string; list: Beneficiaries }) {
  return (
    <Section title={title}>
      {list.length === 0 ? (
        <Text c="dimmed">Nobody.</Text>
      ) : (
        <ul className="backtest-people" aria-label={title}>
          {list.map(({ participant, ...change }) => (
            <li key={participant.participantId + change.currency}>
              <PersonInline id={participant.participantId} />
              <Text size="sm">
                <Change {...change} />
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
