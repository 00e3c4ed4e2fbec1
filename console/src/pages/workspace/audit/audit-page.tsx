import { Drawer, Stack, Text, UnstyledButton } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import '../../people/people.css';
import { HistoryIcon } from 'lucide-react';
import { useState } from 'react';
import { answerOf, api, type Row } from '../../../api/client.ts';
import { projectsQuery, useProject } from '../../../app/project.ts';
import { teamQuery } from '../../../ui/author.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { ExportLink } from '../../../ui/export-link.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { ForAdministrators } from '../../../ui/for-administrators.tsx';
import { IdText } from '../../../ui/id-text.tsx';
import { FilterChips } from '../../../ui/lists/filter-chips.tsx';
import type { FilterSpec } from '../../../ui/lists/specs.ts';
import { useListQuery } from '../../../ui/lists/use-list-query.ts';
import { Page } from '../../../ui/page.tsx';
import { shortId } from '../../../ui/short-id.ts';
import { EmptyState } from '../../../ui/states.tsx';
import { byCursor, useEndless } from '../../../ui/use-endless.ts';
import { When } from '../../../ui/when.tsx';
import { Differences } from './differences.tsx';
import { sayAction } from './say-action.ts';
import { sayActor } from './say-actor.ts';

type Entry = Row<'/v1/audit-log'>;

/** The keys of a workspace, for their names. */
const keysQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['api-keys', workspaceId, 'names'],
    queryFn: async ({ signal }) => {
      const query = { workspaceId, limit: 100 };
      return (await answerOf(api.GET('/v1/api-keys', { params: { query }, signal }))).data;
    },
    staleTime: 60_000,
  });

const OTHER_FILTERS: readonly FilterSpec[] = [
  { kind: 'text', name: 'targetId', label: 'Object', placeholder: 'Its id' },
  { kind: 'text', name: 'action', label: 'Action', placeholder: 'reward.void' },
];

export function AuditPage() {
  return (
    <ForAdministrators title="Audit log">
      <AuditLog />
    </ForAdministrators>
  );
}

function AuditLog() {
  const { workspaceId } = useProject();
  const [shown, setShown] = useState<Entry | null>(null);
  const { data: members = [] } = useQuery(teamQuery(workspaceId));
  const { data: keys = [] } = useQuery(keysQuery(workspaceId));
  const { data: projects = [] } = useQuery(projectsQuery);
  const names = new Map([...members, ...keys, ...projects].map(({ id, name }) => [id, name]));
  const specs: readonly FilterSpec[] = [
    {
      kind: 'choice',
      name: 'actorId',
      label: 'Who',
      choices: members.map(({ id, name }) => ({ value: id, label: name })),
    },
    ...OTHER_FILTERS,
  ];
  const given = useListQuery(specs);
  const list = useEndless(['audit', workspaceId, given], async (cursor, signal) => {
    const query = { workspaceId, limit: 100, ...given, ...(cursor ? { cursor } : {}) };
    return byCursor(await answerOf(api.GET('/v1/audit-log', { params: { query }, signal })));
  });
  return (
    <Page
      title="Audit log"
      intro="Who changed what in this workspace, newest first. Nobody can change it."
      actions={<ExportLink list="audit-log" filters={given} />}
    >
      <FilterChips list="audit-log" specs={specs} />
      <DataTable
        label="Audit log"
        list={list}
        idOf={({ id }) => id}
        columns={[
          {
            title: 'What',
            cell: (entry) => (
              <UnstyledButton className="link" onClick={() => setShown(entry)}>
                <strong>{sayActor(entry, names)}</strong> {sayAction(entry.action)}
              </UnstyledButton>
            ),
          },
          {
            title: 'Object',
            width: '14rem',
            cell: ({ targetId }) => targetId && <Target id={targetId} name={names.get(targetId)} />,
          },
          { title: 'When', width: '12rem', cell: (entry) => <When clock="real" at={entry.at} /> },
        ]}
        empty={
          <EmptyState icon={<HistoryIcon size={40} />} title="Nothing was changed yet">
            Every change of a setting is recorded here, with the person who made it and the IP
            address.
          </EmptyState>
        }
      />
      <Drawer
        opened={shown !== null}
        onClose={() => setShown(null)}
        title={shown && `${sayActor(shown, names)} ${sayAction(shown.action)}`}
        position="right"
        size="lg"
      >
        {shown && (
          <Stack>
            <Facts
              rows={[
                ['When', <When key="when" clock="real" at={shown.at} />],
                ['Who', sayActor(shown, names)],
                ['By the agent', shown.agent ?? '–'],
                ['Object', <IdText key="o" value={shown.targetId} />],
                ['Action', shown.action],
                ['From', shown.ip ?? '–'],
                ['Request', shown.requestId ? <IdText key="r" value={shown.requestId} /> : '–'],
              ]}
            />
            <Text fw={600}>Changes</Text>
            <Differences changes={shown.changes} before={shown.before} />
          </Stack>
        )}
      </Drawer>
    </Page>
  );
}

interface TargetProps {
  readonly id: string;
  readonly name: string | undefined;
}

/** What was changed: by its name where that is known. */
function Target({ id, name }: TargetProps) {
  if (name === undefined) return <code title={id}>{shortId(id)}</code>;
  return (
    <span className="name" title={id}>
      {name}
    </span>
  );
}
