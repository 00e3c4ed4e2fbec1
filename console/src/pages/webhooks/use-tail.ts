import { useCallback, useEffect, useRef, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { ALL_TYPES } from './event-types.ts';
import type { FeedEvent } from './say-event.ts';
import { clear, EMPTY_TAIL, pause, resume, type Tail, take, waitBefore } from './tail.ts';

/** Maximum of events in memory. */
export const KEPT_MAX = 500;
const FIRST = 50;
/** Events within this time are drawn together. */
const GATHER_MS = 100;

export type Connection = 'connecting' | 'live' | 'broken';

/**
 * The newest events of a project, and all that follow. A broken connection continues where it
 * stopped, so that nothing is missed; a refusal ends it.
 */
export function useTail(projectId: string) {
  const [tail, setTail] = useState<Tail<FeedEvent>>(EMPTY_TAIL);
  const [connection, setConnection] = useState<Connection>('connecting');
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const cursor = useRef<string | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt begins anew
  useEffect(() => {
    let isOver = false;
    let source: EventSource | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let drawing: ReturnType<typeof setTimeout> | undefined;
    let arrived: FeedEvent[] = [];
    let failures = 0;
    setError(null);
    const draw = () => {
      drawing = undefined;
      const events = arrived;
      arrived = [];
      setTail((before) => take(before, events, KEPT_MAX));
    };
    const hear = (message: MessageEvent<string>) => {
      cursor.current = message.lastEventId;
      arrived.push(JSON.parse(message.data) as FeedEvent);
      drawing ??= setTimeout(draw, GATHER_MS);
    };
    const fail = (fault: unknown) => {
      if (isOver) return;
      setConnection('broken');
      const isFinal =
        fault instanceof ApiError &&
        fault.status >= 400 &&
        fault.status < 500 &&
        fault.status !== 429;
      if (isFinal) setError(fault);
      else {
        timer = setTimeout(() => void begin(), waitBefore(failures));
        failures += 1;
      }
    };
    const begin = async () => {
      try {
        if (cursor.current === null) {
          const { events, next } = await answerOf(
            api.GET('/v1/webhook-events', { params: { query: { projectId, last: FIRST } } }),
          );
          if (isOver) return;
          cursor.current = next;
          setTail((before) => take(before, events, KEPT_MAX));
        } else {
          // A refused stream does not say why; the same request here does.
          const query = { projectId, after: cursor.current, limit: 1 };
          await answerOf(api.GET('/v1/webhook-events', { params: { query } }));
          if (isOver) return;
        }
        listen(cursor.current);
      } catch (fault) {
        fail(fault);
      }
    };
    const listen = (after: string) => {
      const query = new URLSearchParams({ projectId, after });
      source = new EventSource(`/v1/webhook-events/stream?${query}`);
      source.onopen = () => {
        failures = 0;
        setConnection('live');
      };
      source.onerror = () => {
        if (isOver) return;
        // The browser reconnects by itself unless it was refused.
        setConnection('broken');
        if (source?.readyState === EventSource.CLOSED) fail(null);
      };
      for (const type of ALL_TYPES) source.addEventListener(type, hear);
    };
    void begin();
    return () => {
      isOver = true;
      source?.close();
      clearTimeout(timer);
      clearTimeout(drawing);
      if (arrived.length > 0) draw();
    };
  }, [projectId, attempt]);

  return {
    tail,
    connection,
    error,
    retry: useCallback(() => setAttempt((before) => before + 1), []),
    pause: useCallback(() => setTail(pause), []),
    resume: useCallback(() => setTail((before) => resume(before, KEPT_MAX)), []),
    clear: useCallback(() => setTail(clear), []),
  };
}
