import { Alert, Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { DownloadIcon } from 'lucide-react';
import { exponentOf } from '../../../ui/currencies.ts';
import { SortedTable } from '../../../ui/lists/sorted-table.tsx';
import { PersonInline } from '../../../ui/person-cell.tsx';
import { Section } from '../../../ui/section.tsx';
import { TimeChart } from '../../../ui/time-chart.tsx';
import { programsQuery } from '../queries.ts';
import { Change, sayMinor } from './amount.tsx';
import { Differences } from './differences.tsx';
import type { Backtest, BacktestResult } from './queries.ts';
import { sayCompared, sayNotReproduced } from './say-result.ts';

/** What a back-test found. */
export function ResultView({ backtest, result }: { backtest: Backtest; result: BacktestResult }) {
  const { id, projectId, programId } = backtest;
  const isOwn = (rule: RuleResult) => rule.programId === programId;
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
        <RuleTable rows={result.byRule.filter(isOwn)} />
      </Section>
      <OtherPrograms projectId={projectId} rows={result.byRule.filter((one) => !isOwn(one))} />
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

const idOf = ({ ruleId }: RuleResult) => ruleId;

function RuleTable({ rows }: { rows: readonly RuleResult[] }) {
  return <SortedTable rows={rows} columns={RULE_COLUMNS} idOf={idOf} />;
}

interface OtherProgramsProps {
  readonly projectId: string;
  readonly rows: readonly RuleResult[];
}

/** Not part of the totals: an attribution policy may move referrals to or from them. */
function OtherPrograms({ projectId, rows }: OtherProgramsProps) {
  const { data } = useQuery(programsQuery(projectId));
  if (rows.length === 0) return null;
  const names = new Map(data?.map(({ id, name }) => [id, name]));
  const program = {
    title: 'Program',
    cell: ({ programId }: RuleResult) => names.get(programId) ?? programId,
  };
  return (
    <Section
      title="Other programs"
      intro="What the other programs of the project gave, and would have given. The totals above are without it."
    >
      <SortedTable rows={rows} columns={[program, ...RULE_COLUMNS]} idOf={idOf} />
    </Section>
  );
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
