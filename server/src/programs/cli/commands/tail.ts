import { setTimeout as delay } from 'node:timers/promises';
import { EVENT_TYPES } from '../../../platform/feed/writer/project-write.ts';
import { systemClock } from '../../../platform/kit/clock.ts';
import { createStreamReader } from '../calls/event-stream.ts';
import { CliError, EXIT } from '../cli-error.ts';
import { type Context, findProject } from '../context.ts';
import type { Value } from '../flag.ts';
import type { Values } from '../output/values.ts';
import { parseSince } from '../parse-since.ts';
import { describeEvent, type FeedEvent } from './describe-event.ts';

/** The service says something at least every 15 s; a connection this silent is dead. */
const SILENCE_MS = 45_000;
const WAIT_MIN_MS = 500;
const WAIT_MAX_MS = 10_000;
const PAGE = 500;

interface Page {
  readonly events: readonly FeedEvent[];
  readonly next: string;
}

/** Follows a project's feed until it is told to stop. */
export async function runTail(context: Context, values: Values): Promise<undefined> {
  const { io } = context;
  if (values.last !== undefined && values.since !== undefined) {
    throw new CliError('Give --last or --since, not both.', EXIT.usage);
  }
  const isWanted = matchTypes(values.type as readonly string[] | undefined);
  const since = parseSince(values.since, systemClock.nowMs());
  const print = async (event: FeedEvent) => {
    if (!isWanted(event.type) || (since !== null && event.occurredAt < since)) return;
    await io.out(`${context.asJson ? JSON.stringify(event) : describeEvent(event)}\n`);
  };
  const projectId = await findProject(context, values);
  const ended = io.untilEnded();
  let cursor = await begin(context, projectId, { last: values.last, since }, print);
  let waitMs = WAIT_MIN_MS;
  while (!ended.aborted) {
    try {
      cursor = await follow(context, projectId, { after: cursor, ended }, async (event, id) => {
        waitMs = WAIT_MIN_MS;
        cursor = id;
        await print(event);
      });
    } catch (error) {
      if (ended.aborted) break;
      const isRefused = error instanceof CliError && error.exitCode === EXIT.refused;
      if (isRefused && !isPassing(error)) throw error;
      io.err(`The connection broke; trying again in ${waitMs / 1000} s.\n`);
    }
    await delay(waitMs, undefined, { signal: ended }).catch(() => undefined);
    waitMs = Math.min(waitMs * 2, WAIT_MAX_MS);
  }
}

/** Prints what is asked for of the past; returns where to go on. */
export async function begin(
  { client }: Pick<Context, 'client'>,
  projectId: string,
  { last, since }: { readonly last: Value | undefined; readonly since: string | null },
  print: (event: FeedEvent) => Promise<void>,
): Promise<string> {
  const read = (query: Record<string, string>) =>
    client.call<Page>({
      method: 'GET',
      path: '/v1/webhook-events',
      query: { projectId, ...query },
      takesKey: true,
    });
  const asked = Number(last ?? (since === null ? 1 : PAGE));
  const newest = await read({ last: String(asked) });
  if (last === undefined && since === null) return newest.next;
  const reachesBack =
    since === null || newest.events.length < asked || (newest.events[0]?.occurredAt ?? '') < since;
  if (last !== undefined || reachesBack) {
    for (const event of newest.events) await print(event);
    return newest.next;
  }
  // The feed cannot be entered by time: it is read from its beginning.
  let page = await read({ limit: String(PAGE) });
  while (page.events.length > 0) {
    for (const event of page.events) await print(event);
    page = await read({ limit: String(PAGE), after: page.next });
  }
  return page.next;
}

/** Reads one connection to its end; returns the cursor that it got to. */
async function follow(
  { client }: Context,
  projectId: string,
  { after, ended }: { readonly after: string; readonly ended: AbortSignal },
  onEvent: (event: FeedEvent, id: string) => Promise<void>,
): Promise<string> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), SILENCE_MS);
  let cursor = after;
  try {
    const { body } = await client.open(
      {
        method: 'GET',
        path: '/v1/webhook-events/stream',
        query: { projectId, after },
        takesKey: true,
      },
      AbortSignal.any([ended, silent.signal]),
    );
    const read = createStreamReader();
    const decoder = new TextDecoder();
    for await (const piece of body ?? []) {
      timer.refresh();
      for (const { id, data } of read(decoder.decode(piece, { stream: true }))) {
        cursor = id;
        await onEvent(JSON.parse(data) as FeedEvent, id);
      }
    }
    return cursor;
  } finally {
    clearTimeout(timer);
  }
}

/** A refusal that ends by itself: too many streams, or the service is being stopped. */
function isPassing({ body }: CliError): boolean {
  const { error } = (body ?? {}) as { error?: { code?: string } };
  return ['SERVICE_UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL_ERROR'].includes(error?.code ?? '');
}

/** `reward.*` is every type that begins so. */
export function matchTypes(patterns: readonly string[] | undefined): (type: string) => boolean {
  if (!patterns) return () => true;
  const matches = (type: string, pattern: string) =>
    pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
  const nothing = patterns.find((one) => !EVENT_TYPES.some((type) => matches(type, one)));
  if (nothing !== undefined) {
    const types = EVENT_TYPES.join(', ');
    throw new CliError(`--type "${nothing}" matches none of ${types}.`, EXIT.usage);
  }
  return (type) => patterns.some((pattern) => matches(type, pattern));
}
