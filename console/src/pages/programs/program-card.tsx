import { Badge, Card, Group, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../app/session.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatDay } from '../../ui/when.tsx';
import { describeStatus, KINDS } from './program-words.ts';
import { type ListedProgram, summaryQuery, useProjectNow } from './queries.ts';

/** A program in the list: what it is, its state and its results. */
export function ProgramCard({ program }: { program: ListedProgram }) {
  const { id: programId, projectId, kind, name } = program;
  const now = useProjectNow();
  const { label, tone } = describeStatus(program, now);
  return (
    <Card
      component={Link}
      to="/p/$projectId/programs/$programId"
      params={{ projectId, programId } as never}
      className="program-card"
      withBorder
      padding="lg"
    >
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
        <Title order={2} className="page-title">
          {name}
        </Title>
        <StatusBadge tone={tone} label={label} />
      </Group>
      <Group gap="xs">
        <Badge variant="default" tt="none" fw={500}>
          {KINDS[kind].label}
        </Badge>
        <Text size="sm" c="dimmed">
          {describeDates(program)}
        </Text>
      </Group>
      <CardFigures program={program} />
    </Card>
  );
}

function CardFigures({ program }: { program: ListedProgram }) {
  const { id, projectId, kind, enrollmentCount, referralCount } = program;
  const mayRead = useMay('referrals:read');
  const summary = useQuery({ ...summaryQuery(projectId, id), enabled: mayRead });
  const earned = summary.data?.earnedRewards;
  return (
    <dl className="figures">
      <Figure label={kind === 'affiliate' ? 'Partners' : 'Taking part'} value={enrollmentCount} />
      {kind !== 'loyalty' && <Figure label="Referrals" value={referralCount} />}
      {mayRead && <Figure label="Rewards earned" value={earned} isMissing={summary.isError} />}
    </dl>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly isMissing?: boolean;
}

export function Figure({ label, value, isMissing = false }: FigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value?.toLocaleString() ?? (isMissing ? '–' : <Skeleton height={22} width={48} mt={6} />)}
      </dd>
    </div>
  );
}

/** Start and end, as days. */
function describeDates(program: Pick<ListedProgram, 'startDate' | 'endDate'>): string {
  const day = (at: string) => formatDay(at.slice(0, 10));
  const { startDate, endDate } = program;
  if (startDate && endDate) return `${day(startDate)} to ${day(endDate)}`;
  if (startDate) return `From ${day(startDate)}`;
  return endDate ? `Until ${day(endDate)}` : 'No end date';
}

export function ProgramCardSkeleton() {
  return (
    <Card className="program-card" withBorder padding="lg" aria-busy="true">
      <Skeleton height={24} width="55%" />
      <Skeleton height={18} width="35%" />
      <Skeleton height={40} />
    </Card>
  );
}
