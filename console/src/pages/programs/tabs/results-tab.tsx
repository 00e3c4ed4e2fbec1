import { Group } from '@mantine/core';
import { ErrorState, Lines } from '../../../ui/states.tsx';
import { RangePicker } from '../../home/range-picker.tsx';
import { useRange } from '../../home/use-range.ts';
import { ByCampaign } from '../../results/by-campaign.tsx';
import { ByReferrer } from '../../results/by-referrer.tsx';
import Results from '../../results/results.tsx';
import { TopLinks } from '../../results/top-links.tsx';
import { useFigures } from '../../results/use-figures.ts';
import type { Program } from '../queries.ts';

export default function ResultsTab({ program }: { program: Program }) {
  const { id: programId, projectId } = program;
  const { range, isReady } = useRange(projectId);
  const { from, to } = range;
  const figures = useFigures({ projectId, from, to, programId, enabled: isReady });
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
