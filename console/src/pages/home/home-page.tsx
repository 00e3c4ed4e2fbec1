import { Grid, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useProject } from '../../app/project.ts';
import { Page } from '../../ui/page.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { programsQuery } from '../programs/queries.ts';
import { ByReferrer } from '../results/by-referrer.tsx';
import { hasAny } from '../results/numbers.ts';
import { TopLinks } from '../results/top-links.tsx';
import { useFigures } from '../results/use-figures.ts';
import { Attention } from './attention.tsx';
import { ByProgram } from './by-program.tsx';
import { FirstSteps } from './first-steps.tsx';
import { RangePicker } from './range-picker.tsx';
import { useRange } from './use-range.ts';

// Charts and the checklist are not part of the first load.
const Results = lazy(() => import('../results/results.tsx'));
const Steps = lazy(() => import('./checklist.tsx'));

/** A Project that is set up has none. */
function Checklist({ projectId }: { readonly projectId: string }) {
  return (
    <Suspense fallback={null}>
      <Steps key={projectId} />
    </Suspense>
  );
}

export function HomePage() {
  const { id: projectId, name } = useProject();
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const programs = useQuery(programsQuery(projectId));
  const programId = programs.data?.find(({ id }) => id === search.programId)?.id;
  const { range, isReady } = useRange(projectId);
  const figures = useFigures({
    projectId,
    from: range.from,
    to: range.to,
    programId,
    enabled: isReady && programs.isSuccess,
  });
  const hasResults = figures.data !== undefined && hasAny(figures.data.total);
  if (programs.data?.length === 0) {
    return (
      <Page title={name}>
        <FirstSteps />
        <Checklist projectId={projectId} />
      </Page>
    );
  }
  return (
    <Page
      title="Home"
      intro="How your programs perform. Days are in UTC."
      actions={
        <>
          {(programs.data?.length ?? 0) > 1 && (
            <NativeSelect
              aria-label="Program"
              className="program-choice"
              data={[
                { value: '', label: 'All programs' },
                ...(programs.data?.map((one) => ({ value: one.id, label: one.name })) ?? []),
              ]}
              value={programId ?? ''}
              onChange={(event) => {
                const { value } = event.currentTarget;
                void navigate({
                  to: '.',
                  search: (before) => ({ ...before, programId: value || undefined }),
                });
              }}
            />
          )}
          <RangePicker range={range} />
        </>
      }
    >
      {/* What is left to set up comes first as long as there is nothing else to see. */}
      {figures.data && !hasResults && <Checklist projectId={projectId} />}
      <Attention />
      {figures.isError && <ErrorState error={figures.error} retry={() => void figures.refetch()} />}
      {figures.isPending && <Lines count={4} height={70} />}
      {figures.data && (
        <Stack gap="lg">
          <Suspense fallback={<Lines count={4} height={90} />}>
            <Results figures={figures.data} programId={programId} />
          </Suspense>
          <ByProgram figures={figures.data} />
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, xl: 5 }}>
              <ByReferrer programId={programId} isBrief />
            </Grid.Col>
            <Grid.Col span={{ base: 12, xl: 7 }}>
              <TopLinks programId={programId} />
            </Grid.Col>
          </Grid>
          {hasResults && <Checklist projectId={projectId} />}
        </Stack>
      )}
    </Page>
  );
}
