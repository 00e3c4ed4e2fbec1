import { Text, Tooltip } from '@mantine/core';
import { useContext, useSyncExternalStore } from 'react';
import { ClockOffset } from '../app/project-clock.ts';
import { sayRelative } from './say-relative.ts';

const full = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' });
const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

interface WhenProps {
  readonly at: string | null | undefined;
  readonly fallback?: string;
  /** Which clock made the time: the project's, which is ahead in some sandboxes, or the real one. */
  readonly clock?: 'project' | 'real';
}

/** A time as people say it, if it is near; exact in the reader's own time zone on hover or touch. */
export function When({ at, fallback = '–', clock = 'project' }: WhenProps) {
  const offset = useContext(ClockOffset);
  const now = useNow();
  if (!at) return <Text span>{fallback}</Text>;
  const date = new Date(at);
  const ahead = clock === 'project' ? offset : 0;
  // Where the two clocks differ, a reader must not compare a time of one with a time of the other.
  const isReal = clock === 'real' && offset !== 0;
  const note = isReal ? ' · real time' : ahead === 0 ? '' : ' · by the sandbox’s clock';
  return (
    <Tooltip
      label={`${full.format(date)} · ${at}${note}`}
      events={{ hover: true, focus: false, touch: true }}
    >
      <time dateTime={at}>
        {sayRelative(date.getTime(), now + ahead) ?? short.format(date)}
        {isReal ? ' (real time)' : ''}
      </time>
    </Tooltip>
  );
}

const TICK_MS = 30_000;
let tick = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all times of a page. */
function subscribe(onTick: () => void): () => void {
  listeners.add(onTick);
  timer ??= setInterval(() => {
    tick = Date.now();
    for (const listener of listeners) listener();
  }, TICK_MS);
  return () => {
    listeners.delete(onTick);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function useNow(): number {
  // The first time after a while without one: the last tick is old.
  if (timer === undefined) tick = Date.now();
  return useSyncExternalStore(subscribe, () => tick);
}

/** A calendar day (`2026-11-15`) in the reader's format. */
export const formatDay = (isoDay: string) => day.format(new Date(`${isoDay}T00:00:00Z`));
