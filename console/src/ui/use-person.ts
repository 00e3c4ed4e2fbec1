import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { answerOf, api, type Row } from '../api/client.ts';
import { useProject } from '../app/project.ts';
import { useMay } from '../app/session.ts';
import { type Ask, askTogether } from './ask-together.ts';
import { isComplete, type Person, personLabel } from './person.ts';

type Named = Row<'/v1/participant-names'>;

const NAMES_MAX = 100;
/** All cells of a page ask within it, and rows that are only scrolled past are gone after it. */
const WAIT_MS = 150;

const askers = new Map<string, Ask<Named>>();

function askerOf(projectId: string): Ask<Named> {
  const known = askers.get(projectId);
  if (known) return known;
  const load = async (ids: readonly string[]) => {
    const query = { projectId, ids: ids.join(',') };
    const { data } = await answerOf(api.GET('/v1/participant-names', { params: { query } }));
    return new Map(data.map((one) => [one.participantId, one]));
  };
  const made = askTogether(load, { most: NAMES_MAX, waitMs: WAIT_MS });
  askers.set(projectId, made);
  return made;
}

const nameQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ['participants', projectId, id, 'name'],
    queryFn: ({ signal }) => askerOf(projectId)(id, signal),
    staleTime: 300_000,
  });

/**
 * Who somebody is. Most lists contain only ids: the people in view are looked up together, unless the row says all.
 * Undefined while nothing is known, and for users who may not read participants.
 */
export function usePerson(id: string, known?: Person, isNeeded = true): Person | undefined {
  const { id: projectId } = useProject();
  const mayRead = useMay('participants:read');
  const mayReadPartners = useMay('partners:read');
  const isMissing = !known || !isComplete(known, id, mayReadPartners);
  const { data } = useQuery({
    ...nameQuery(projectId, id),
    enabled: isNeeded && isMissing && mayRead,
  });
  return isMissing ? (data ?? known) : known;
}

/** The names of people in a sentence, as far as they are known and the user may read them. */
export function useNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const { id: projectId } = useProject();
  const enabled = useMay('participants:read');
  const people = useQueries({
    queries: ids.map((id) => ({ ...nameQuery(projectId, id), enabled })),
  });
  return new Map(
    ids.flatMap((id, at): [string, string][] => {
      const person = people[at]?.data;
      return person?.name ? [[id, person.name]] : [];
    }),
  );
}

/** What somebody is called; undefined while it is not known. */
export function usePersonLabel(id: string, isNeeded = true): string | undefined {
  const person = usePerson(id, undefined, isNeeded);
  return person && personLabel(person, id);
}
