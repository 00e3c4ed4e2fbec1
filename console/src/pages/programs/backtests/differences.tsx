import { Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { PersonInline } from '../../../ui/person-cell.tsx';
import { Section } from '../../../ui/section.tsx';
import { ErrorState, Lines } from '../../../ui/states.tsx';
import { ThingLink } from '../../../ui/thing-link.tsx';
import { When } from '../../../ui/when.tsx';
import { wordRule } from '../../events/reasons.ts';
import {
  type Backtest,
  type BacktestResult,
  type Difference,
  differencesQuery,
} from './queries.ts';
import { sayCalculation, sayLine, unitNames } from './say-line.ts';

interface DifferencesProps {
  readonly backtest: Backtest;
  readonly result: BacktestResult;
}

/** Events with a different result, with both explanations. */
export function Differences({ backtest: { id, projectId }, result }: DifferencesProps) {
  const list = useInfiniteQuery(differencesQuery(projectId, id));
  const nameOf = new Map(result.byRule.map(({ ruleId, name }) => [ruleId, name]));
  const units = unitNames(result.byRule);
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Section
      title="Why"
      intro="Each event with a different result: what was decided, and what would have been."
    >
      {list.isPending && <Lines count={4} height={24} />}
      {list.isError && <ErrorState error={list.error} retry={() => void list.refetch()} />}
      <ul className="backtest-differences" aria-label="Differences">
        {rows.map((one) => (
          <li key={one.eventId}>
            <DifferenceView
              difference={one}
              nameOf={(id) => nameOf.get(id) ?? 'Another rule'}
              units={units}
            />
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Group>
          <Button
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Show more
          </Button>
        </Group>
      )}
    </Section>
  );
}

interface DifferenceProps {
  readonly difference: Difference;
  readonly nameOf: (ruleId: string) => string;
  readonly units: ReadonlyMap<string, string>;
}

function DifferenceView({ difference, nameOf, units }: DifferenceProps) {
  const { eventId, occurredAt, lines, actual, proposed } = difference;
  const sayOutcome = ({ ruleId, verdict, reason, calculation }: JudgedRule): string => {
    const line = lines.find((one) => one.ruleId === ruleId);
    return calculation && line
      ? sayCalculation(calculation, line, units)
      : wordRule(verdict, reason).label;
  };
  const sayRule = (rule: JudgedRule) => `${nameOf(rule.ruleId)}: ${sayOutcome(rule)}`;
  return (
    <Stack gap="xs">
      <Text size="sm">
        <ThingLink type="event" id={eventId} /> <When at={occurredAt} />
      </Text>
      {lines.map((line) => (
        <Text key={line.ruleId + line.beneficiary.participantId + line.code} size="sm">
          {nameOf(line.ruleId)}: <PersonInline id={line.beneficiary.participantId} />{' '}
          {sayLine(line, line.actual, units)} → <b>{sayLine(line, line.proposed, units)}</b>
        </Text>
      ))}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Course title="Decided" course={actual} sayRule={sayRule} />
        <Course title="Proposed" course={proposed} sayRule={sayRule} />
      </SimpleGrid>
    </Stack>
  );
}

type JudgedRule = NonNullable<Difference['actual']>['explanation']['rules'][number];

interface CourseProps {
  readonly title: string;
  readonly course: Difference['actual'];
  readonly sayRule: (rule: JudgedRule) => string;
}

function Course({ title, course, sayRule }: CourseProps) {
  return (
    <div>
      <Title order={3} size="h6">
        {title}
      </Title>
      {course === null ? (
        <Text size="sm" c="dimmed">
          Nothing.
        </Text>
      ) : (
        <>
          <Text size="sm">
            {course.referrer ? (
              <>
                Credited to <PersonInline id={course.referrer.participantId} />
              </>
            ) : (
              'Credited to nobody'
            )}
          </Text>
          <ul className="backtest-rules">
            {course.explanation.rules.map((rule, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a rule may give several times
              <li key={index}>
                <Text size="sm">{sayRule(rule)}</Text>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
