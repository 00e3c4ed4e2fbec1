import { Group, Text } from '@mantine/core';
import { memo, useState } from 'react';
import { IdText } from '../../ui/id-text.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { useNames } from '../../ui/use-person.ts';
import { type FeedEvent, partiesOf, sayEvent, thingsOf } from './say-event.ts';

const time = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

export const FeedRow = memo(function FeedRow({ event }: { event: FeedEvent }) {
  const [isOpen, setOpen] = useState(false);
  const names = useNames(partiesOf(event));
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <time dateTime={event.occurredAt} className="figure">
            {time.format(new Date(event.occurredAt))}
          </time>
          <code>{event.type}</code>
          <span>{sayEvent(event, names)}</span>
        </summary>
        {isOpen && (
          <div className="feed-body">
            <Group gap="md">
              {thingsOf(event, names).map(({ type, id, label }) => (
                <ThingLink key={id} type={type} id={id}>
                  {label}
                </ThingLink>
              ))}
              <Text span c="dimmed" size="sm">
                <IdText value={event.id} label="event id" />
              </Text>
            </Group>
            <Snippet label="the event" code={JSON.stringify(event, null, 2)} isTall />
          </div>
        )}
      </details>
    </li>
  );
});
