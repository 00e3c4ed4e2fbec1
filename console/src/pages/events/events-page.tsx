import { ZapIcon } from 'lucide-react';
import '../people/people.css';
import { answerOf, api, type paths } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { FilterChips } from '../../ui/lists/filter-chips.tsx';
import { ListTotal } from '../../ui/lists/list-total.tsx';
import type { FilterSpec } from '../../ui/lists/specs.ts';
import { useListQuery, useOrder } from '../../ui/lists/use-list-query.ts';
import { breakable } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { PersonCell } from '../../ui/person-cell.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { byCursor, untilSome, useEndless } from '../../ui/use-endless.ts';
import { useFilters } from '../../ui/use-filters.ts';
import { When } from '../../ui/when.tsx';
import { signupCall } from '../developers/snippets.ts';
import { useSnippetFacts } from '../developers/use-snippet-facts.ts';
import { eventTitle, typeName } from '../people/event-words.ts';
import { type TrackedEvent, useRules } from '../people/queries.ts';
import { wordEvent } from './reasons.ts';

type EventFilters = Omit<paths['/v1/events/totals']['get']['parameters']['query'], 'projectId'>;

const OTHER_FILTERS: readonly FilterSpec[] = [
  {
    kind: 'choice',
    name: 'processingState',
    label: 'State',
    choices: [
      { value: 'pending', label: 'Waiting' },
      { value: 'processed', label: 'Decided' },
      { value: 'failed', label: 'Failed' },
    ],
  },
  { kind: 'person', name: 'participantId', label: 'Participant' },
];

const COLUMNS: readonly Column<TrackedEvent>[] = [
  {
    title: 'Event',
    width: 'minmax(0, 1.3fr)',
    cell: (event) => (
      <ThingLink type="event" id={event.id}>
        {breakable(eventTitle(event))}
      </ThingLink>
    ),
  },
  { title: 'Participant', cell: (event) => <PersonCell id={event.participantId} /> },
  {
    title: 'Outcome',
    cell: (event) => {
      const { tone, label, sentence } = wordEvent(event);
      return <StatusBadge tone={tone} label={label} explanation={sentence} />;
    },
  },
  { title: 'Happened', width: '11.5rem', cell: (event) => <When at={event.occurredAt} /> },
  {
    title: 'Received',
    width: '11.5rem',
    isOrdered: true,
    cell: (event) => <When at={event.receivedAt} />,
  },
];

export function EventsPage() {
  const project = useProject();
  const [filters] = useFilters();
  const customTypes = [...new Set([...useRules().values()].map(({ eventType }) => eventType))];
  const types = [...new Set(['signup', 'purchase', ...customTypes, filters.type ?? 'signup'])];
  const specs: readonly FilterSpec[] = [
    {
      kind: 'choice',
      name: 'type',
      label: 'Type',
      choices: types.map((value) => ({ value, label: typeName(value) })),
    },
    ...OTHER_FILTERS,
  ];
  const given: EventFilters = useListQuery(specs);
  const order = useOrder();
  const list = useEndless(['events', project.id, 'list', given, order], (from, signal) =>
    untilSome(from, async (cursor) => {
      const query = { projectId: project.id, ...given, order, ...(cursor ? { cursor } : {}) };
      return byCursor(await answerOf(api.GET('/v1/events', { params: { query }, signal })));
    }),
  );
  const totals = (
    <ListTotal
      queryKey={['events', project.id, 'totals', given]}
      load={async (signal) => {
        const query = { projectId: project.id, ...given };
        return (await answerOf(api.GET('/v1/events/totals', { params: { query }, signal }))).data;
      }}
      one="event"
    />
  );
  return (
    <Page
      title="Events"
      intro="Facts that your backend sent: signups, purchases and your own types. Each one shows why it was credited, or why not."
      actions={<ExportLink list="events" filters={given} />}
    >
      <FilterChips list="events" specs={specs} />
      <DataTable
        label="Events"
        columns={COLUMNS}
        list={list}
        idOf={({ id }) => id}
        totals={totals}
        empty={<NoEvents />}
      />
    </Page>
  );
}

function NoEvents() {
  const { facts } = useSnippetFacts();
  return (
    <EmptyState
      icon={<ZapIcon size={36} />}
      title="No events here"
      action={<Snippet label="A signup to send" code={signupCall(facts, null)} />}
    >
      Your backend sends one when somebody signs up, buys, or does something else you reward. The
      events are listed here, with everything they earned.
    </EmptyState>
  );
}
