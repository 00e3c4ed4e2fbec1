import '../money.css';
import { Button, Group, MultiSelect, Stack, Text } from '@mantine/core';
import { PauseIcon, PlayIcon } from 'lucide-react';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Lines } from '../../ui/states.tsx';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { useFilters } from '../../ui/use-filters.ts';
import { countOf } from '../../ui/words.ts';
import { ALL_TYPES } from './event-types.ts';
import { FeedRow } from './feed-row.tsx';
import { type Connection, KEPT_MAX, useTail } from './use-tail.ts';

const CONNECTIONS: Readonly<
  Record<Connection, { tone: Tone; label: string; explanation: string }>
> = {
  connecting: { tone: 'waits', label: 'Connecting', explanation: 'The newest events are read.' },
  live: { tone: 'good', label: 'Live', explanation: 'Events appear as soon as they happen.' },
  broken: {
    tone: 'care',
    label: 'Reconnecting',
    explanation: 'The connection broke. It continues where it stopped, so nothing is missed.',
  },
};

export function FeedPage() {
  const project = useProject();
  const mayRead = useMay('webhooks:read');
  if (mayRead) return <LiveFeed key={project.id} />;
  return (
    <Page title="Live feed">
      <EmptyState title="Not for your role">
        An owner or admin can give you a role that reads events, under Team.
      </EmptyState>
    </Page>
  );
}

function LiveFeed() {
  const project = useProject();
  const { tail, connection, error, retry, pause, resume, clear } = useTail(project.id);
  const [filters, setFilters] = useFilters();
  const types = filters.types?.split(',').filter(Boolean) ?? [];
  const isSelected = ({ type }: { type: string }) => types.length === 0 || types.includes(type);
  const shown = tail.rows.filter(isSelected);
  const isPaused = tail.held !== null;
  const heldCount = tail.held?.filter(isSelected).length ?? 0;
  const state = CONNECTIONS[connection];
  return (
    <Page
      title="Live feed"
      aside={isPaused ? <StatusBadge tone="care" label="Paused" /> : <StatusBadge {...state} />}
      intro="Every event of the project as it happens, in the order in which it was saved. Webhooks and the API’s feed have the same events."
      actions={
        <>
          <Button variant="default" onClick={clear} disabled={tail.rows.length === 0}>
            Clear
          </Button>
          {isPaused ? (
            <Button leftSection={<PlayIcon size={16} />} onClick={resume}>
              {heldCount > 0 ? `Show ${heldCount} new` : 'Continue'}
            </Button>
          ) : (
            <Button variant="default" leftSection={<PauseIcon size={16} />} onClick={pause}>
              Pause
            </Button>
          )}
        </>
      }
    >
      <Stack>
        <MultiSelect
          label="Types"
          placeholder={types.length === 0 ? 'Every type' : undefined}
          data={ALL_TYPES}
          value={types}
          onChange={(chosen) => setFilters({ types: chosen.join(',') || undefined })}
          clearable
          searchable
          maw={560}
        />
        {error !== null && <ErrorState error={error} retry={retry} />}
        {connection === 'connecting' && tail.rows.length === 0 && error === null && (
          <Lines count={6} height={36} />
        )}
        {connection !== 'connecting' && shown.length === 0 && error === null && (
          <EmptyState title={types.length > 0 ? 'None of these yet' : 'Nothing has happened yet'}>
            Leave this open: a signup, a purchase or a reward appears here the moment it is saved.
          </EmptyState>
        )}
        {shown.length > 0 && (
          <ol className="feed" aria-label="Events, newest first">
            {shown.map((event) => (
              <FeedRow key={event.id} event={event} />
            ))}
          </ol>
        )}
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {countOf(shown.length, 'event')} shown
            {tail.dropped > 0
              ? `; this page keeps only the newest ${KEPT_MAX}. The feed has all of them.`
              : '.'}
          </Text>
        </Group>
      </Stack>
    </Page>
  );
}
