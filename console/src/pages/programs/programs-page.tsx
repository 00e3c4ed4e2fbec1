import './programs.css';
import { Button, Group, SegmentedControl, Select, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MegaphoneIcon, PlusIcon } from 'lucide-react';
import { useState } from 'react';
import type { Filters } from '../../app/filters.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { ExportLink } from '../../ui/export-link.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { useFilters } from '../../ui/use-filters.ts';
import { ProgramCard, ProgramCardSkeleton } from './program-card.tsx';
import { KINDS, SHOWN } from './program-words.ts';
import { type ListedProgram, programsQuery } from './queries.ts';

/** Each card requests its own figures, so only a screen or two are shown at once. */
const STEP = 24;

export function ProgramsPage() {
  const { id: projectId } = useProject();
  const mayWrite = useMay('programs:write');
  const programs = useQuery(programsQuery(projectId));
  const create = mayWrite && (
    <Button
      component={Link}
      to="/p/$projectId/programs/new"
      params={{ projectId } as never}
      leftSection={<PlusIcon size={18} />}
    >
      New program
    </Button>
  );
  const isEmpty = programs.data?.length === 0;
  return (
    <Page
      title="Programs"
      intro="What you offer to people who bring you customers, and on which terms."
      actions={
        !isEmpty && (
          <Group gap="xs">
            <ExportLink list="programs" />
            {create}
          </Group>
        )
      }
    >
      {programs.isPending ? (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <ProgramCardSkeleton />
          <ProgramCardSkeleton />
        </SimpleGrid>
      ) : programs.isError ? (
        <ErrorState error={programs.error} retry={() => void programs.refetch()} />
      ) : isEmpty ? (
        <EmptyState icon={<MegaphoneIcon size={36} />} title="No programs yet" action={create}>
          A program says who is rewarded, for what, and with how much: “give $10, get $10”, or a
          fifth of every purchase for a year. People share its links; Goodword counts and rewards.
          Setting up the first one takes a few minutes.
        </EmptyState>
      ) : (
        <ProgramList programs={programs.data} />
      )}
    </Page>
  );
}

function ProgramList({ programs }: { programs: readonly ListedProgram[] }) {
  const [{ show = 'current', kind }, setFilters] = useFilters();
  const [count, setCount] = useState(STEP);
  const filter = (change: Filters) => {
    setCount(STEP);
    setFilters(change);
  };
  const statuses = SHOWN[show] ?? SHOWN.all;
  const found = programs
    .filter((one) => statuses?.includes(one.status) && (kind === undefined || one.kind === kind))
    .reverse();
  return (
    <Stack>
      <div className="filters">
        <SegmentedControl
          aria-label="Which programs"
          value={show in SHOWN ? show : 'all'}
          onChange={(value) => filter({ show: value === 'current' ? undefined : value })}
          data={[
            { value: 'current', label: 'Current' },
            { value: 'over', label: 'Over' },
            { value: 'all', label: 'All' },
          ]}
        />
        <Select
          aria-label="Kind"
          placeholder="Every kind"
          clearable
          w={160}
          value={kind ?? null}
          onChange={(value) => filter({ kind: value ?? undefined })}
          data={Object.entries(KINDS).map(([value, { label }]) => ({ value, label }))}
        />
      </div>
      {found.length === 0 ? (
        <EmptyState
          title="None of your programs matches"
          action={
            <Button variant="default" onClick={() => filter({ show: 'all', kind: undefined })}>
              Show all {programs.length}
            </Button>
          }
        >
          Those that ended or were archived are under “Over”.
        </EmptyState>
      ) : (
        <SimpleGrid component="ul" className="program-cards" cols={{ base: 1, md: 2 }}>
          {found.slice(0, count).map((program) => (
            <li key={program.id}>
              <ProgramCard program={program} />
            </li>
          ))}
        </SimpleGrid>
      )}
      {found.length > count && (
        <Button variant="default" onClick={() => setCount(count + STEP)}>
          Show more ({found.length - count})
        </Button>
      )}
    </Stack>
  );
}
