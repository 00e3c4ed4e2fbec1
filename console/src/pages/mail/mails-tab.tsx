import '../people/people.css';
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { MailIcon } from 'lucide-react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMayAdminister } from '../../app/session.ts';
import { teamQuery } from '../../ui/author.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { FilterChips } from '../../ui/lists/filter-chips.tsx';
import type { FilterSpec } from '../../ui/lists/specs.ts';
import { PersonCell } from '../../ui/person-cell.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { byCursor, useEndless } from '../../ui/use-endless.ts';
import { useFilters } from '../../ui/use-filters.ts';
import { When } from '../../ui/when.tsx';
import { describeState, kindLabel } from './mail-words.ts';
import { type MailRow, mailKey } from './queries.ts';

const STATES = [
  'sent',
  'waiting',
  'preview',
  'failed',
  'bounced',
  'suppressed',
  'dropped',
  'unknown',
] as const satisfies readonly MailRow['state'][];

const NEVER_SENT: readonly MailRow['state'][] = ['preview', 'suppressed', 'dropped'];
const FILTERS: readonly FilterSpec[] = [
  {
    kind: 'choice',
    name: 'state',
    label: 'State',
    choices: STATES.map((value) => ({
      value,
      label: describeState({ state: value, reason: null }).label,
    })),
  },
];

const COLUMNS: readonly Column<MailRow>[] = [
  { title: 'Mail', cell: ({ kind }) => kindLabel(kind) },
  {
    title: 'To',
    cell: ({ recipientId }) =>
      recipientId.startsWith('par_') ? (
        <PersonCell id={recipientId} />
      ) : (
        <Member id={recipientId} />
      ),
  },
  { title: 'State', width: '9rem', cell: (mail) => <StatusBadge {...describeState(mail)} /> },
  { title: 'When', width: '13rem', cell: (mail) => <MailTime mail={mail} /> },
  {
    title: 'Attempts',
    width: '6rem',
    align: 'right',
    cell: ({ tries, state }) => (NEVER_SENT.includes(state) ? '–' : tries),
  },
];

/** A member of the team, by name if the user may know it. */
function Member({ id }: { id: string }) {
  const { workspaceId } = useProject();
  const { data = [] } = useQuery({ ...teamQuery(workspaceId), enabled: useMayAdminister() });
  return data.find((user) => user.id === id)?.name || 'A member of the team';
}

/** When it was sent. In a sandbox, whose clock may be ahead: when it would have been. */
function MailTime({ mail: { sentAt, projectTime } }: { mail: MailRow }) {
  const { environment } = useProject();
  return <When at={environment === 'live' ? (sentAt ?? projectTime) : projectTime} />;
}

/** What was sent, or would have been, without texts. */
export function MailsTab() {
  const { id: projectId } = useProject();
  const [{ state }] = useFilters();
  const list = useEndless([...mailKey(projectId), 'list', state], async (cursor, signal) => {
    const chosen = STATES.find((one) => one === state);
    const query = {
      projectId,
      limit: 100,
      ...(chosen ? { state: chosen } : {}),
      ...(cursor ? { cursor } : {}),
    };
    return byCursor(await answerOf(api.GET('/v1/mails', { params: { query }, signal })));
  });
  return (
    <Stack>
      <FilterChips list="mails" specs={FILTERS} />
      <DataTable
        label="Mails"
        list={list}
        idOf={({ id }) => id}
        columns={COLUMNS}
        empty={
          <EmptyState icon={<MailIcon size={40} />} title="No mails">
            Mails of the last 90 days are listed here, also those that a sandbox would have sent.
            Set a sender and switch kinds on to begin.
          </EmptyState>
        }
      />
    </Stack>
  );
}
