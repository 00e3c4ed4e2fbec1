import { GoodwordError } from './errors.ts';
import { EventStreamParser } from './event-stream.ts';
import type { CallOptions, QueryOf } from './operations.ts';
import { readStream } from './read-stream.ts';
import { wait, waitBeforeRepeat } from './retry.ts';
import type { Transport } from './transport.ts';
import type { WebhookEvent } from './webhook-event.ts';

/** Caps the requested wait: more would be a mistake, and more than timers support. */
const LONGEST_WAIT_MS = 3_600_000;
const STREAM_TYPE = 'text/event-stream';

export interface FeedPage {
  readonly events: readonly WebhookEvent[];
  /** The cursor to continue from, now or years later. Save it after handling the events. */
  readonly next: string;
}

export interface PagesOptions extends CallOptions {
  /** The `next` or `cursor` to continue after. Default: the oldest event. */
  readonly after?: string | undefined;
  /** Page size: 1 to 500. */
  readonly limit?: number | undefined;
  readonly apiVersion?: QueryOf<'GET /v1/webhook-events'>['apiVersion'] | undefined;
  readonly projectId?: string | undefined;
}

export interface FollowOptions extends Pick<PagesOptions, 'after' | 'apiVersion' | 'projectId'> {
  /** Ends it, by throwing the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called whenever the stream breaks, with the time until it is reopened. */
  readonly onBreak?: ((error: GoodwordError, pauseMs: number) => void) | undefined;
}

/** An event, and the cursor after it. Save the cursor after handling the event. */
export type FeedEvent = WebhookEvent & { readonly cursor: string };

/** Every event of the project, in commit order. */
export class Feed {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Reads to the end of the feed, page by page: for periodic jobs. */
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
   * Yields every event as it happens, and never ends by itself: a broken stream is reopened after
   * the last event. Throws only what a retry cannot resolve: Goodword's refusal, or an abort.
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<FeedEvent, void, undefined> {
    let last = options.after;
    // An empty header would count as none, and the feed would start from the beginning.
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
      const asked = failure.retryAfterMs ?? (breaks === 0 ? waitMs : null);
      const chosenMs = waitBeforeRepeat(breaks + 2, asked, Math.random());
      const pauseMs = Math.min(chosenMs, LONGEST_WAIT_MS);
      options.onBreak?.(failure, pauseMs);
      await wait(pauseMs, options.signal);
    }
  }

  async *#read(parser: EventStreamParser, last: string | undefined, options: FollowOptions) {
    const { apiVersion, projectId, signal } = options;
    const { projectId: own } = this.#transport.options;
    const pieces = readStream(this.#transport, 'GET /v1/webhook-events/stream', STREAM_TYPE, {
      query: { apiVersion, projectId: projectId ?? own },
      headers: last === undefined ? {} : { 'last-event-id': last },
      signal,
    });
    for await (const piece of pieces) yield* parser.push(piece);
  }
}
