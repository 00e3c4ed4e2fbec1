import { Button, Group, Menu, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { EllipsisIcon, PlusIcon, ServerIcon } from 'lucide-react';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { queryClient as client } from '../../app/query-client.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { EmptyState } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useEndless } from '../../ui/use-endless.ts';
import { SourceForm } from './source-form.tsx';
import { type Source, sourcesQuery } from './sources-query.ts';

const KINDS: Readonly<Record<Source['kind'], string>> = {
  application: 'Application',
  billing: 'Billing',
  import: 'Import',
};

export function SourcesTab() {
  const project = useProject();
  const queryClient = useQueryClient();
  const [edited, setEdited] = useState<Source | 'new' | null>(null);
  const [asked, setAsked] = useState<Source | null>(null);
  const list = useEndless<Source>(['sources', project.id, 'list'], async () => ({
    rows: await client.fetchQuery({ ...sourcesQuery(project.id), staleTime: 0 }),
    next: null,
  }));
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['sources', project.id] });
  const toggle = (source: Source) =>
    answerOf(
      api.PATCH('/v1/sources/{id}', {
        params: { path: { id: source.id } },
        body: { projectId: project.id, enabled: !source.enabled },
      }),
    );
  const columns: readonly Column<Source>[] = [
    {
      title: 'Source',
      sortBy: ({ name }) => name,
      cell: ({ name }) => (
        <Text inherit fw={600}>
          {name}
        </Text>
      ),
    },
    {
      title: 'Id to send',
      width: 'minmax(0, 1.6fr)',
      cell: ({ id }) => <IdText value={id} label="source id" />,
    },
    { title: 'Key', sortBy: ({ key }) => key, cell: ({ key }) => <code>{key}</code> },
    {
      title: 'Kind',
      width: '7rem',
      sortBy: ({ kind }) => KINDS[kind],
      cell: ({ kind }) => KINDS[kind],
    },
    {
      title: 'State',
      width: '7rem',
      sortBy: ({ enabled }) => (enabled ? 'Enabled' : 'Disabled'),
      cell: ({ enabled }) =>
        enabled ? (
          <StatusBadge tone="good" label="Enabled" />
        ) : (
          <StatusBadge tone="over" label="Disabled" explanation="Its facts are refused." />
        ),
    },
    {
      title: 'Actions',
      width: '5rem',
      cell: (source) => (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              aria-label={`Actions for ${source.name}`}
            >
              <EllipsisIcon size={18} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setEdited(source)}>Rename</Menu.Item>
            <Menu.Item onClick={() => setAsked(source)}>
              {source.enabled ? 'Disable' : 'Enable'}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ),
    },
  ];
  const add = (
    <Button leftSection={<PlusIcon size={16} />} onClick={() => setEdited('new')}>
      New source
    </Button>
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed" maw={640}>
          A source is an application that reports facts. Each source has its own ids, so two
          applications never mix them up.
        </Text>
        <Group gap="xs">
          <ExportLink list="sources" />
          {add}
        </Group>
      </Group>
      <DataTable
        label="Sources"
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        empty={
          <EmptyState
            icon={<ServerIcon size={40} strokeWidth={1.4} />}
            title="No sources yet"
            action={add}
          >
            Register your backend as a source and send its id with every signup and purchase.
          </EmptyState>
        }
      />
      {edited && (
        <SourceForm
          source={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={refresh}
        />
      )}
      <Confirm
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={asked?.enabled ? `Disable ${asked.name}?` : `Enable ${asked?.name}?`}
        action={asked?.enabled ? 'Disable' : 'Enable'}
        isDangerous={asked?.enabled ?? false}
        onConfirm={async () => asked && (await toggle(asked)).data}
        onDone={(changed) => {
          void refresh();
          if (changed)
            notifyDone(`${changed.name} is ${changed.enabled ? 'enabled' : 'disabled'}.`);
        }}
      >
        {asked?.enabled
          ? 'From now on, every signup, purchase and event from this source is refused with a 409. Facts that it reported before stay.'
          : 'From now on, its facts are accepted again. Send the refused ones again.'}
      </Confirm>
    </Stack>
  );
}
