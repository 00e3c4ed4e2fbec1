import { Button, NativeSelect, Pill, TextInput } from '@mantine/core';
import { XIcon } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { DateTimeInput } from '../../ui/date-time-input.tsx';
import { useFilters } from '../../ui/use-filters.ts';
import { usePersonLabel } from '../../ui/use-person.ts';
import { usePrograms } from './queries.ts';

interface SelectFilterProps {
  readonly name: string;
  readonly label: string;
  readonly all: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}

/** Filters a list by one of a few choices; stored in the address. */
export function SelectFilter({ name, label, all, choices }: SelectFilterProps) {
  const [filters, setFilters] = useFilters();
  return (
    <NativeSelect
      label={label}
      value={filters[name] ?? ''}
      onChange={(event) => setFilters({ [name]: event.currentTarget.value || undefined })}
      data={[{ value: '', label: all }, ...choices]}
    />
  );
}

export function ProgramFilter() {
  const choices = usePrograms().map(({ id, name }) => ({ value: id, label: name }));
  return <SelectFilter name="programId" label="Program" all="All programs" choices={choices} />;
}

/** Filters a list by time. */
export function MomentFilter({ name, label }: { name: string; label: string }) {
  const [filters, setFilters] = useFilters();
  const kept = filters[name] ?? null;
  const [typed, setTyped] = useState(kept);
  useEffect(() => setTyped(kept), [kept]);
  const change = (at: string | null) => {
    setTyped(at);
    // While a year is being typed it passes through the first century.
    if (at === null || at >= '2000') setFilters({ [name]: at ?? undefined });
  };
  return <DateTimeInput label={label} value={typed} onChange={change} />;
}

/** Filters a list by a person's name, e-mail address, external id or id. */
export function ParticipantFilter({ name, label }: { name: string; label: string }) {
  const [filters, setFilters] = useFilters();
  const { id: projectId } = useProject();
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const id = filters[name];
  if (id) {
    return (
      <div>
        <div className="filter-label">{label}</div>
        <ChosenParticipant id={id} onClear={() => setFilters({ [name]: undefined })} />
      </div>
    );
  }
  const find = async (event: FormEvent) => {
    event.preventDefault();
    const entered = text.trim();
    if (entered === '') return;
    try {
      const found = entered.startsWith('par_') ? [entered] : await idsOf(projectId, entered);
      const [only] = found;
      if (only === undefined || found.length > 1) {
        setError(only ? 'Several people match: type more.' : 'Nobody matches.');
        return;
      }
      setError(null);
      setText('');
      setFilters({ [name]: only });
    } catch (fault) {
      setError(fault instanceof Error ? fault.message : String(fault));
    }
  };
  return (
    <form onSubmit={(event) => void find(event)}>
      <TextInput
        label={label}
        placeholder="Name or id, Enter"
        value={text}
        error={error}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setError(null);
        }}
      />
    </form>
  );
}

/** The person with exactly this external id; otherwise everybody who is found. */
async function idsOf(projectId: string, q: string): Promise<string[]> {
  const { data } = await answerOf(api.GET('/v1/search', { params: { query: { projectId, q } } }));
  const people = data.flatMap(({ type, participant }) =>
    type === 'participant' && participant ? [participant] : [],
  );
  const exact = people.find(({ externalId }) => externalId === q);
  return (exact ? [exact] : people).map(({ participantId }) => participantId);
}

function ChosenParticipant({ id, onClear }: { id: string; onClear: () => void }) {
  const label = usePersonLabel(id) ?? id;
  return (
    <Pill
      size="lg"
      withRemoveButton
      onRemove={onClear}
      removeButtonProps={{ 'aria-label': `Show all people, not only ${label}`, tabIndex: 0 }}
    >
      {label}
    </Pill>
  );
}

/** The filters of a list in a row, and a button to clear them. */
export function FilterBar({ names, children }: { names: readonly string[]; children: ReactNode }) {
  const [filters, setFilters] = useFilters();
  const isFiltered = names.some((name) => filters[name] !== undefined);
  const clear = () => setFilters(Object.fromEntries(names.map((name) => [name, undefined])));
  return (
    <search className="filters people-filters">
      {children}
      {isFiltered && (
        <Button variant="subtle" color="gray" leftSection={<XIcon size={16} />} onClick={clear}>
          Clear filters
        </Button>
      )}
    </search>
  );
}
