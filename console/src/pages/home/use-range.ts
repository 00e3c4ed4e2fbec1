import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { clockQuery } from '../../app/project-clock.ts';
import { readRange } from './range.ts';

/** The days in the address, or the last ones by the clock of the project, which has to be read first. */
export function useRange(projectId: string) {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const { data, isFetched } = useQuery(clockQuery(projectId));
  const range = readRange(search, new Date(data?.now ?? Date.now()));
  return { range, isReady: isFetched };
}
