import type { GoodwordError } from '@goodword/sdk';
import { readDocument } from '../calls/document.ts';
import { CliError, EXIT } from '../cli-error.ts';
import { type Context, findProject } from '../context.ts';
import type { Values } from '../output/values.ts';
import { parseSince } from '../parse-since.ts';
import { describeEvent, type FeedEvent } from './describe-event.ts';

const PAGE = 500;

/** Follows a project's feed until it is stopped. */
export async function runTail(context: Context, values: Values): Promise<undefined> {
  const { io, client } = context;
  if (values.last !== undefined && values.since !== undefined) {
    throw new CliError('Give --last or --since, not both.', EXIT.usage);
  }
  const isSelected = matchTypes(values.type as readonly string[] | undefined);
  const since = parseSince(values.since, Date.now());
  const print = async (event: FeedEvent) => {
    if (!isSelected(event.type) || (since !== null && event.occurredAt < since)) return;
    await io.out(`${context.asJson ? JSON.stringify(event) : describeEvent(event)}\n`);
  };
  const projectId = await findProject(context, values);
  const signal = io.untilEnded();
  const last = values.last === undefined ? null : Number(values.last);
  const after = await begin(client, { projectId, last, since }, print);
  const onBreak = (error: GoodwordError, pauseMs: number) => {
    // A service that stops ends its streams properly, and will be back.
    if (error.cause === undefined && error.status === 0) return;
    io.err(`The connection broke; trying again in ${Math.round(pauseMs / 100) / 10} s.\n`);
  };
  try {
    for await (const { cursor: _, ...event } of client.follow({
      projectId,
      after,
      signal,
      onBreak,
    })) {
      await print(event);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Where to start: with the newest events, at a time, or now. */
interface Beginning {
  readonly projectId: string;
  readonly last: number | null;
  readonly since: string | null;
}

/** Prints the requested past events; returns the cursor to continue from. */
export async function begin(
  client: Pick<Context['client'], 'call' | 'pages'>,
  { projectId, last, since }: Beginning,
  print: (event: FeedEvent) => Promise<void>,
): Promise<string> {
  const operation = 'GET /v1/webhook-events';
  const asked = last ?? (since === null ? 1 : PAGE);
  const { events, next } = await client.call({
    operation,
    query: { projectId, last: asked },
    takesKey: true,
  });
  if (last === null && since === null) return next;
  const reachesBack =
    since === null || events.length < asked || (events[0]?.occurredAt ?? '') < since;
  if (last !== null || reachesBack) {
    for (const event of events) await print(event);
    return next;
  }
  // The feed cannot be entered by time, so it is read from its beginning.
  let cursor = next;
  const request = { operation, query: { projectId }, takesKey: true };
  for await (const page of client.pages(request, { field: 'events', pageMax: PAGE })) {
    for (const event of page.rows as readonly FeedEvent[]) await print(event);
    cursor = String(page.answer.next);
  }
  return cursor;
}

/** `reward.*` matches every type with that prefix. */
export function matchTypes(patterns: readonly string[] | undefined): (type: string) => boolean {
  if (!patterns) return () => true;
  const types = Object.keys(readDocument().webhooks);
  const matches = (type: string, pattern: string) =>
    pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
  const nothing = patterns.find((one) => !types.some((type) => matches(type, one)));
  if (nothing !== undefined) {
    throw new CliError(`--type "${nothing}" matches none of ${types.join(', ')}.`, EXIT.usage);
  }
  return (type) => patterns.some((pattern) => matches(type, pattern));
}
