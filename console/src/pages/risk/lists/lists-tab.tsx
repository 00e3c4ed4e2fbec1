import '../risk.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { useProject } from '../../../app/project.ts';
import { useMay } from '../../../app/session.ts';
import { hasChanged } from '../../../ui/has-changed.ts';
import { notifyDone } from '../../../ui/notify.ts';
import { SaveBar } from '../../../ui/save-bar.tsx';
import { Section } from '../../../ui/section.tsx';
import { ErrorState, Lines } from '../../../ui/states.tsx';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { useSubmit } from '../../../ui/use-submit.ts';
import { type RiskLists, riskListsQuery } from '../queries.ts';
import { AddEntries } from './add-entries.tsx';
import { EntryTable } from './entry-table.tsx';
import { addEntries, problemOf, removeEntry, toEntries, toLists } from './list-entries.ts';

/** What the project allows and watches: domains, networks and participants. */
export function ListsTab() {
  const { id: projectId } = useProject();
  const { data, error, refetch } = useQuery(riskListsQuery(projectId));
  if (error) return <ErrorState error={error} retry={() => void refetch()} />;
  if (!data) return <Lines count={5} height={24} />;
  return <ListsForm key={data.updatedAt ?? ''} lists={data} />;
}

function ListsForm({ lists }: { lists: RiskLists }) {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const mayWrite = useMay('programs:write');
  const saved = toEntries(lists);
  const [entries, setEntries] = useState(saved);
  const isChanged = hasChanged(saved, toEntries(toLists(entries)));
  const { submit, isBusy, error } = useSubmit(async () => {
    await answerOf(
      api.PUT('/v1/projects/{projectId}/risk-lists', {
        params: { path: { projectId } },
        body: toLists(entries),
      }),
    );
    await queries.invalidateQueries(riskListsQuery(projectId));
    notifyDone('Saved.');
  });
  const unsaved = useUnsaved(isChanged, isBusy);
  const problem = problemOf(entries);
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Section
        title="Allowed and watched"
        intro="Allowed: signals about the domain or network do not count; for a participant, no signal counts. Watched: a domain counts as a disposable address, a network as the same network, and a participant as many referrals at once."
      >
        {mayWrite && (
          <AddEntries onAdd={(added) => setEntries((before) => addEntries(before, added))} />
        )}
        <EntryTable
          entries={toEntries(toLists(entries))}
          onRemove={
            mayWrite ? (gone) => setEntries((before) => removeEntry(before, gone)) : undefined
          }
        />
        {problem && <ErrorState error={new Error(problem)} />}
        {error !== null && <ErrorState error={error} />}
        {mayWrite && (
          <SaveBar
            isChanged={isChanged}
            isBusy={isBusy}
            isValid={problem === null}
            onDiscard={() => setEntries(saved)}
          />
        )}
      </Section>
      {unsaved.question}
    </form>
  );
}
