import { Code, Drawer, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { answerOf, api, type Row } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { byCursor, useEndless } from '../../ui/use-endless.ts';
import { When } from '../../ui/when.tsx';

type Entry = Row<'/v1/audit-log'>;

const ACTORS: Record<Entry['actorType'], string> = {
  user: 'Person',
  key: 'API key',
  system: 'Goodword',
  cli: 'Admin token',
};

export function AuditPage() {
  const { workspaceId } = useProject();
  const [shown, setShown] = useState<Entry | null>(null);
  const list = useEndless(['audit', workspaceId], async (cursor, signal) =>
    byCursor(
      await answerOf(
        api.GET('/v1/audit-log', {
          params: { query: { workspaceId, limit: 100, ...(cursor ? { cursor } : {}) } },
          signal,
        }),
      ),
    ),
  );
  return (
    <Page
      title="Audit log"
      intro="Who changed what in this workspace, newest first. Nobody can change it."
    >
      <DataTable
        label="Audit log"
        list={list}
        idOf={({ id }) => id}
        columns={[
          {
            title: 'What',
            cell: (entry) => (
              <UnstyledButton className="link" onClick={() => setShown(entry)}>
                {entry.action}
              </UnstyledButton>
            ),
          },
          { title: 'About', cell: (entry) => `${entry.targetType} ${entry.targetId ?? ''}` },
          { title: 'Who', cell: (entry) => `${ACTORS[entry.actorType]} ${entry.actorId ?? ''}` },
          { title: 'When', width: '12rem', cell: (entry) => <When at={entry.at} /> },
        ]}
        empty={
          <EmptyState icon={<IconHistory size={40} />} title="Nothing was changed yet">
            Every change of a setting is written down here, with who made it and from where.
          </EmptyState>
        }
      />
      <Drawer
        opened={shown !== null}
        onClose={() => setShown(null)}
        title={shown?.action}
        position="right"
        size="lg"
      >
        {shown && (
          <Stack>
            <Facts
              rows={[
                ['When', <When key="when" at={shown.at} />],
                ['Who', `${ACTORS[shown.actorType]} ${shown.actorId ?? ''}`],
                ['About', `${shown.targetType} ${shown.targetId ?? ''}`],
                ['From', shown.ip ?? '–'],
                ['Request', shown.requestId ? <IdText key="r" value={shown.requestId} /> : '–'],
              ]}
            />
            <Text fw={600}>Changes</Text>
            <Code block>{JSON.stringify(shown.changes, null, 2)}</Code>
          </Stack>
        )}
      </Drawer>
    </Page>
  );
}
