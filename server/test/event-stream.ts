import { type IncomingMessage, request } from 'node:http';

export interface Received {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/** A consumer of server-sent events, after the standard's own words. */
export interface StreamReader {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Everything so far. */
  readonly events: readonly Received[];
  /** What the service asked for as the time to wait before connecting again. */
  readonly retryMs: () => number | undefined;
  readonly comments: () => number;
  /** Resolves once so many events have come in all; rejects if the stream ends before. */
  has(count: number): Promise<readonly Received[]>;
  /** Resolves once so many comments have come in all. */
  hasComments(count: number): Promise<void>;
  /** How it ended: in order, or broken off. */
  readonly ended: Promise<'ended' | 'broken'>;
  /** Takes nothing more from the connection until `resume`. */
  pause(): void;
  resume(): void;
  /** Goes away without a word. */
  hangUp(): Promise<unknown>;
}

export interface StreamCall {
  readonly key: string;
  readonly projectId: string;
  readonly after?: string;
  readonly lastEventId?: string;
}

const open = new Set<StreamReader>();

/** Ends whatever a test has left open. */
export async function hangUpAll(): Promise<void> {
  await Promise.all([...open].map((reader) => reader.hangUp()));
}

/** Connects, and resolves with the first bytes of the stream. */
export async function readStream(url: string, call: StreamCall): Promise<StreamReader> {
  const search = new URLSearchParams({
    projectId: call.projectId,
    ...(call.after === undefined ? {} : { after: call.after }),
  });
  const outgoing = request(`${url}/v1/webhook-events/stream?${search}`, {
    agent: false,
    headers: {
      'x-api-key': call.key,
      ...(call.lastEventId === undefined ? {} : { 'last-event-id': call.lastEventId }),
    },
  });
  outgoing.end();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  outgoing.on('error', () => undefined);
  const reader = follow(answer, () => outgoing.destroy());
  open.add(reader);
  void reader.ended.then(() => open.delete(reader));
  return reader;
}

function follow(answer: IncomingMessage, destroy: () => void): StreamReader {
  const events: Received[] = [];
  const looks = new Set<() => void>();
  let comments = 0;
  let retryMs: number | undefined;
  let block = { id: '', type: 'message', data: [] as string[] };
  let rest = '';

  const readLine = (line: string) => {
    const [, name, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) as string[];
    if (line === '') {
      if (block.data.length > 0) events.push({ ...block, data: block.data.join('\n') });
      block = { id: '', type: 'message', data: [] };
    } else if (name === '') comments += 1;
    else if (name === 'id') block.id = value as string;
    else if (name === 'event') block.type = value as string;
    else if (name === 'data') block.data.push(value as string);
    else if (name === 'retry') retryMs = Number(value);
    else throw new Error(`A stream has no field ${name}.`);
  };
  answer.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() as string;
    for (const line of lines) readLine(line);
    for (const look of looks) look();
  });
  let isOver = false;
  const ended = new Promise<'ended' | 'broken'>((resolve) => {
    answer.once('end', () => resolve('ended'));
    answer.once('error', () => resolve('broken'));
    answer.once('close', () => resolve('broken'));
  }).finally(() => {
    isOver = true;
    for (const look of looks) look();
  });
  const until = (isReached: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (isReached()) resolve();
        else if (isOver) reject(new Error(`The stream ended after ${events.length} events.`));
        else return;
        looks.delete(look);
      };
      looks.add(look);
      look();
    });
  return {
    status: answer.statusCode as number,
    headers: answer.headers,
    events,
    retryMs: () => retryMs,
    comments: () => comments,
    has: async (count) => {
      await until(() => events.length >= count);
      return events;
    },
    hasComments: (count) => until(() => comments >= count),
    ended,
    pause: () => void answer.pause(),
    resume: () => void answer.resume(),
    hangUp: () => {
      destroy();
      answer.resume();
      return ended;
    },
  };
}
