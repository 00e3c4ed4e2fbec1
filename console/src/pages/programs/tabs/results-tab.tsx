import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { clockQuery } from '../../../app/project-clock.ts';
import { ErrorState, Lines } from '../../../ui/states.tsx';
import { readRange } from '../../home/range.ts';
import { RangePicker } from '../../home/range-picker.tsx';
import { ByCampaign } from '../../results/by-campaign.tsx';
import { ByReferrer } from '../../results/by-referrer.tsx';
import Results from '../../results/results.tsx';
import { TopLinks } from '../../results/top-links.tsx';
import { useFigures } from '../../results/use-figures.ts';
import type { Program } from '../queries.ts';

export default function ResultsTab({ program }: { program: Program }) {
  const { id: programId, projectId } = program;
  const search = useSearch({ strict: false });
  const clock = useQuery(clockQuery(projectId));
  const range = readRange(search, new Date(clock.data?.now ?? Date.now()));
  const { from, to } = range;
  const figures = useFigures({ projectId, from, to, programId, enabled: clock.isFetched });
  return (
    <>
      <Group justify="flex-end">
        <RangePicker range={range} />
      </Group>
      {figures.isError && <ErrorState error={figures.error} retry={() => void figures.refetch()} />}
      {figures.isPending && <Lines count={4} height={90} />}
      {figures.data && <Results figures={figures.data} programId={programId} />}
      <ByReferrer programId={programId} />
      <TopLinks programId={programId} />
      <ByCampaign programId={programId} from={from} to={to} />
    </>
  );
}
