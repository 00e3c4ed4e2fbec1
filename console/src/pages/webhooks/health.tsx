import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useProject } from '../../app/project.ts';
import { When } from '../../ui/when.tsx';
import { healthQuery } from './queries.ts';
import { sayFailure, saySuccess } from './say-health.ts';

/** How an endpoint answers: all of a list share one call. */
export function EndpointHealth({ endpointId }: { endpointId: string }) {
  const { data } = useQuery(healthQuery(useProject().id));
  const health = data?.find((one) => one.endpointId === endpointId);
  if (!health) return null;
  const { lastFailure } = health;
  return (
    <>
      <Text size="sm">{saySuccess(health)}</Text>
      {lastFailure && (
        <Text size="sm" c="dimmed">
          {sayFailure(lastFailure)}, <When clock="real" at={lastFailure.at} />
        </Text>
      )}
    </>
  );
}
