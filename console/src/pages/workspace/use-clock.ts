import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { clockQuery } from '../../app/project-clock.ts';
import { useMay } from '../../app/session.ts';

/** The project's clock, with a `now` that keeps running here. */
export function useClock() {
  const project = useProject();
  const mayRead = useMay('programs:read');
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    ...clockQuery(project.id),
    enabled: mayRead,
  });
  const [tick, setTick] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setTick(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const passed = Math.max(0, tick - dataUpdatedAt);
  return { clock: data, now: data ? Date.parse(data.now) + passed : null, error, refetch };
}

/** When the holds of waiting rewards end, for the newest hundred. */
export function useHolds(): readonly string[] {
  const project = useProject();
  const { data = [] } = useQuery({
    queryKey: ['rewards', project.id, 'held'],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/rewards', {
            params: {
              query: { projectId: project.id, fulfillmentStatus: 'pending', limit: 100 },
            },
            signal,
          }),
        )
      ).data,
    enabled: useMay('referrals:read'),
  });
  return data
    .filter(({ delivery }) => delivery.reason === 'hold_period')
    .map(({ availableAt }) => availableAt);
}
