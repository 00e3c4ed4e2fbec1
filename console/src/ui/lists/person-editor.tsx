import { Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { answerOf, api, type Row } from '../../api/client.ts';
import type { Filters } from '../../app/filters.ts';
import { useProject } from '../../app/project.ts';
import { personDetail, personLabel } from '../person.ts';
import { MarkOf } from '../person-cell.tsx';
import type { FilterSpec } from './specs.ts';

interface PersonEditorProps {
  readonly spec: Extract<FilterSpec, { kind: 'person' }>;
  readonly onChoose: (values: Filters) => void;
}

type Found = NonNullable<Row<'/v1/search'>['participant']>;

const SHOWN_MAX = 6;

async function findPeople(projectId: string, q: string, signal?: AbortSignal): Promise<Found[]> {
  const query = { projectId, q };
  const { data } = await answerOf(
    api.GET('/v1/search', { params: { query }, ...(signal ? { signal } : {}) }),
  );
  return data.flatMap(({ type, participant }) =>
    type === 'participant' && participant ? [participant] : [],
  );
}

/** Finds a person by name, e-mail address, external id or id; proposes those who match while typing. */
export function PersonEditor({ spec, onChoose }: PersonEditorProps) {
  const { id: projectId } = useProject();
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [settled] = useDebouncedValue(text.trim(), 200);
  const { data: people = [] } = useQuery({
    queryKey: ['search', projectId, 'people', settled],
    queryFn: ({ signal }) => findPeople(projectId, settled, signal),
    enabled: settled !== '' && !settled.startsWith('par_'),
    staleTime: 5_000,
  });
  const choose = (id: string) => onChoose({ [spec.name]: id });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const entered = text.trim();
    if (entered === '') return;
    if (entered.startsWith('par_')) return choose(entered);
    try {
      const found = await findPeople(projectId, entered);
      const [only] = found.length === 1 ? found : found.filter((one) => one.externalId === entered);
      if (only) choose(only.participantId);
      else setError(found.length > 0 ? 'Several people match: choose one.' : 'Nobody matches.');
    } catch (fault) {
      setError(fault instanceof Error ? fault.message : String(fault));
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="xs">
        <TextInput
          data-autofocus
          label={spec.label}
          placeholder="Name, e-mail, external id or id"
          value={text}
          error={error}
          maxLength={512}
          autoComplete="off"
          onChange={(event) => {
            setText(event.currentTarget.value);
            setError(null);
          }}
        />
        {settled !== '' && people.length > 0 && (
          <ul className="chip-people" aria-label="People who match">
            {people.slice(0, SHOWN_MAX).map((person) => (
              <li key={person.participantId}>
                <button type="button" onClick={() => choose(person.participantId)}>
                  <MarkOf id={person.participantId} person={person} isSmall />
                  <span className="chip-person">
                    {personLabel(person, person.participantId)}
                    <small>{personDetail(person, person.participantId)}</small>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
        {people.length > SHOWN_MAX && (
          <Text size="xs" c="dimmed">
            More match: type more of the name.
          </Text>
        )}
      </Stack>
    </form>
  );
}
