import { GoodwordError, toError } from './errors.ts';
import { EventStreamParser } from './event-stream.ts';
import type { CallOptions, QueryOf } from './operations.ts';
import { readRetryAfter, wait, waitBeforeRepeat } from './retry.ts';
import { linkedTo, type Transport } from './transport.ts';
import type { WebhookEvent } from './webhook-event.ts';

/** A comment comes every 15 seconds: after this long without a byte the connection is dead. */
const SILENCE_MS = 60_000;
/** However long it is asked to wait: more is somebody's mistake, and more than timers can take. */
const LONGEST_WAIT_MS = 3_600_000;
const STREAM_TYPE = 'text/event-stream';

export interface FeedPage {
  readonly events: readonly WebhookEvent[];
  /** To go on from here, now or years later. Keep it once the events are dealt with. */
  readonly next: string;
}

export interface PagesOptions extends CallOptions {
  /** The `next` or `cursor` behind which to begin; the oldest event without one. */
  readonly after?: string | undefined;
  /** How many events a page has at most: 1 to 500. */
  readonly limit?: number | undefined;
  readonly apiVersion?: QueryOf<'GET /v1/webhook-events'>['apiVersion'] | undefined;
  readonly projectId?: string | undefined;
}

export interface FollowOptions extends Pick<PagesOptions, 'after' | 'apiVersion' | 'projectId'> {
  /** Ends it, by throwing the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Told whenever the stream broke and is about to be opened again. */
  readonly onBreak?: ((error: GoodwordError) => void) | undefined;
}

/** An event, and the cursor behind it. Keep the cursor once the event is dealt with. */
export type FeedEvent = WebhookEvent & { readonly cursor: string };

/** Every event of the Project, in the order in which they were committed. */
export class Feed {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Reads up to the end of the feed, a page at a time: for jobs that run now and then. */
  async *pages(options: PagesOptions = {}): AsyncGenerator<FeedPage, void, undefined> {
    const { after: first, limit: events = 500, apiVersion, projectId, ...call } = options;
    for (let after = first; ; ) {
      const query = { after, limit: events, apiVersion, projectId };
      const page = (await this.#transport.send('GET /v1/webhook-events', {
        ...call,
        query,
      })) as FeedPage;
      if (page.events.length === 0) return;
      yield page;
      after = page.next;
    }
  }

  /**
   * Yields every event as it happens, and never ends by itself: when the stream breaks it is opened
   * again behind the last event. Throws what no repeat would help: Goodword’s refusal, an abort.
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<FeedEvent, void, undefined> {
    let last = options.after;
    // As a header it would count as none, and everything would be told anew.
    if (last?.trim() === '')
      throw new TypeError('after is empty. Leave it out to begin at the start.');
    let waitMs: number | null = null;
    for (let breaks = 0; ; breaks += 1) {
      let failure: GoodwordError;
      try {
        const parser = new EventStreamParser();
        try {
          for await (const { id, data } of this.#read(parser, last, options)) {
            breaks = 0;
            yield { ...(JSON.parse(data) as WebhookEvent), cursor: id };
            last = id;
          }
        } finally {
          waitMs = parser.retryMs ?? waitMs;
        }
        failure = new GoodwordError({ code: 'NO_ANSWER', message: 'The stream ended.' });
      } catch (error) {
        if (!(error instanceof GoodwordError && error.isTransient)) throw error;
        failure = error;
      }
      options.onBreak?.(failure);
      const asked = failure.retryAfterMs ?? (breaks === 0 ? waitMs : null);
      const pauseMs = waitBeforeRepeat(breaks + 2, asked, Math.random());
      await wait(Math.min(pauseMs, LONGEST_WAIT_MS), options.signal);
    }
  }

  async *#read(parser: EventStreamParser, last: string | undefined, options: FollowOptions) {
    const { apiVersion, projectId, signal } = options;
    const { fetch, projectId: own } = this.#transport.options;
    const { url, headers } = this.#transport.prepare('GET /v1/webhook-events/stream', {
      query: { apiVersion, projectId: projectId ?? own },
      headers: { accept: STREAM_TYPE, ...(last === undefined ? {} : { 'last-event-id': last }) },
    });
    const connection = linkedTo(signal);
    /** What takes too long has died. Whoever reads may take its time between two of these. */
    const awaited = async <T>(work: Promise<T>): Promise<T> => {
      const timer = setTimeout(() => connection.abort(), SILENCE_MS);
      return work.finally(() => clearTimeout(timer));
    };
    try {
      const init = { headers, signal: connection.signal, redirect: 'manual' as const };
      const response = await awaited(fetch(url, init));
      const type = response.headers.get('content-type') ?? '';
      if (!response.ok || !response.body || !type.startsWith(STREAM_TYPE)) {
        const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now());
        const text = await awaited(response.text());
        throw toError(response.status, response.headers, text, retryAfterMs);
      }
      const reader = response.body.getReader();
      while (true) {
        const { done, value } = await awaited(reader.read());
        if (done) return;
        yield* parser.push(value);
      }
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      if (cause instanceof GoodwordError) throw cause;
      throw new GoodwordError({ code: 'NO_ANSWER', message: 'The stream broke.', cause });
    } finally {
      connection.abort();
      connection.unlink();
    }
  }
}
