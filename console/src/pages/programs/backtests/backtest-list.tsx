import '../../money.css';
import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Author } from '../../../ui/author.tsx';
import { Section } from '../../../ui/section.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { When } from '../../../ui/when.tsx';
import type { Program } from '../queries.ts';
import { backtestsQuery, STATES } from './queries.ts';
import { sayPeriod } from './say-period.ts';

interface BacktestListProps {
  readonly program: Program;
  readonly shownId: string | undefined;
}

/** The recent back-tests of the program, of anybody. */
export function BacktestList({
  program: { id: programId, projectId },
  shownId,
}: BacktestListProps) {
  const { data = [] } = useQuery(backtestsQuery(projectId));
  const rows = data.filter((one) => one.programId === programId);
  if (rows.length === 0) return null;
  return (
    <Section title="Recent back-tests">
      <ul className="plain-list" aria-label="Recent back-tests">
        {rows.map(({ id, from, to, status, createdAt, createdBy }) => (
          <li key={id}>
            <Group gap="xs">
              {id === shownId ? (
                <Text span fw={600} aria-current="true">
                  {sayPeriod({ from, to })}
                </Text>
              ) : (
                <Anchor component={Link} to="." search={search(id)} inherit>
                  {sayPeriod({ from, to })}
                </Anchor>
              )}
              <StatusBadge {...STATES[status]} />
            </Group>
            <Text span size="sm" c="dimmed">
              <When clock="real" at={createdAt} /> by <Author by={createdBy} />
            </Text>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const search = (backtest: string) => ({ tab: 'backtests', backtest }) as never;
