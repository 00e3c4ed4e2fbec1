import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { Section } from '../../ui/section.tsx';
import { RewardRows } from '../rewards/reward-rows.tsx';

/** An event's rewards in their current state. */
export function EventRewards({ eventId }: { eventId: string }) {
  const project = useProject();
  const { data } = useQuery({
    queryKey: ['rewards', project.id, 'of-event', eventId],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/rewards', {
            params: { query: { projectId: project.id, eventId, limit: 100 } },
            signal,
          }),
        )
      ).data,
  });
  if (!data || data.length === 0) return null;
  return (
    <Section title="Rewards" intro="As they are today.">
      <RewardRows rewards={data} />
    </Section>
  );
}
