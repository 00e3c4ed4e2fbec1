import { Feed } from './feed.ts';
import { type ListCall, type ListPage, listPages, listRows } from './lists.ts';
import type {
  AnswerOf,
  BodyOf,
  CallArguments,
  CallOptions,
  ListOperation,
  Operation,
  QueryOf,
  RowOf,
} from './operations.ts';
import { readStream } from './read-stream.ts';
import { Track } from './track.ts';
import { type AnyCall, Transport } from './transport.ts';

interface CommonOptions {
  /** The address of the service, such as `https://refer.example.com`. */
  readonly url: string;
  /** The default project of calls. */
  readonly projectId?: string | undefined;
  /** The source of your application's facts, from `POST /v1/sources`. */
  readonly sourceNamespaceId?: string | undefined;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Number of retries after a temporary failure (default 4). */
  readonly retries?: number | undefined;
  /** Maximum duration of a call, including all retries (default 30 seconds). */
  readonly timeoutMs?: number | undefined;
  /** Maximum duration of each attempt (default 10 seconds). */
  readonly attemptTimeoutMs?: number | undefined;
}

/**
 * With a key of the workspace, or the admin token for operators' calls. Use both in backends only.
 */
export type GoodwordOptions = CommonOptions &
  (
    | { readonly apiKey: string; readonly adminToken?: undefined }
    | { readonly adminToken: string; readonly apiKey?: undefined }
  );

type Data<O extends Operation> = AnswerOf<O> extends { data: infer D } ? D : never;
type Filters<O extends ListOperation> = Omit<QueryOf<O>, 'cursor' | 'offset'>;

/**
 * A client of one Goodword service. It stores only its settings, so one instance serves a whole
 * program.
 */
export class Goodword {
  /** Reports what happened in your product: signups, purchases, refunds. */
  readonly track: Track;
  /** All events of the project, to be read or followed. */
  readonly feed: Feed;
  readonly #transport: Transport;

  constructor(options: GoodwordOptions) {
    const { retries = 4, timeoutMs = 30_000, attemptTimeoutMs = 10_000 } = options;
    this.#transport = new Transport({
      url: toBase(options.url),
      headers: credentialOf(options),
      projectId: options.projectId,
      // Looked up on every call, in case it is replaced later.
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      retries,
      timeoutMs,
      attemptTimeoutMs,
    });
    this.track = new Track(this.#transport, options.sourceNamespaceId);
    this.feed = new Feed(this.#transport);
  }

  /**
   * Calls any operation of the API, by its method and path.
   *
   * @example
   * await goodword.request('GET /v1/payouts/{payoutId}', { path: { payoutId } });
   */
  request<O extends Operation>(operation: O, ...[call]: CallArguments<O>): Promise<AnswerOf<O>> {
    return this.#transport.send(operation, call as AnyCall) as Promise<AnswerOf<O>>;
  }

  /**
   * Every row of any list of the API, read page by page.
   *
   * @example
   * for await (const payout of goodword.list('GET /v1/payouts', { query: { status: 'failed' } })) …
   */
  list<O extends ListOperation>(
    operation: O,
    ...[call]: CallArguments<O>
  ): AsyncGenerator<RowOf<O>, void, undefined> {
    const rows = listRows(this.#transport, operation, call as AnyCall);
    return rows as AsyncGenerator<RowOf<O>, void, undefined>;
  }

  /**
   * Calls an operation that is chosen at run time, such as one from `openapi.json`. Its parameters
   * and response are not typed.
   */
  send(operation: string, call?: AnyCall): Promise<unknown> {
    return this.#transport.send(operation, call);
  }

  /**
   * A list page by page, each with the fields next to its rows; also for a list chosen at run time.
   */
  pages(operation: string, call?: ListCall): AsyncGenerator<ListPage, void, undefined> {
    return listPages(this.#transport, operation, call);
  }

  /**
   * A table piece by piece as it arrives, of any length. It is not retried: if it breaks off it
   * throws, with a cause named `TimeoutError` if it stalled.
   *
   * @example
   * for await (const piece of goodword.table('GET /v1/exports/rewards')) file.write(piece);
   */
  async *table(operation: string, call: AnyCall = {}): AsyncGenerator<string, void, undefined> {
    const decoder = new TextDecoder();
    for await (const piece of readStream(this.#transport, operation, 'text/csv', call)) {
      yield decoder.decode(piece, { stream: true });
    }
  }

  /** Assigns a browser to a participant, if that is known before or apart from a signup. */
  identify(
    identification: BodyOf<'POST /v1/identify'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'POST /v1/identify'>> {
    return this.request('POST /v1/identify', { ...options, body: identification });
  }

  /** People and groups. `id` is the service's id; yours is `externalId`. */
  readonly participants = {
    list: (filters: Filters<'GET /v1/participants'> = {}, options?: CallOptions) =>
      this.list('GET /v1/participants', { ...options, query: filters }),
    /** With enrollments, codes, links, referrals and the newest events. */
    get: (id: string, options?: CallOptions) =>
      this.#data('GET /v1/participants/{id}', { ...options, path: { id } }),
    /** Creates one, or changes the given fields; null clears a field. */
    upsert: (participant: BodyOf<'PUT /v1/participants'>, options?: CallOptions) =>
      this.#data('PUT /v1/participants', { ...options, body: participant }),
    /** Erases a person's data for good; `force` voids their open rewards. */
    erase: (id: string, query: { readonly force?: boolean } = {}, options?: CallOptions) =>
      this.#data('DELETE /v1/participants/{id}', { ...options, path: { id }, query }),
  };

  readonly programs = {
    list: (options?: CallOptions) => this.list('GET /v1/programs', { ...options }),
    get: (programId: string, options?: CallOptions) =>
      this.#data('GET /v1/programs/{programId}', { ...options, path: { programId } }),
    summary: (programId: string, options?: CallOptions) =>
      this.#data('GET /v1/programs/{programId}/summary', { ...options, path: { programId } }),
  };

  /** The participants of a program. */
  readonly enrollments = {
    create: (enrollment: BodyOf<'POST /v1/enrollments'>, options?: CallOptions) =>
      this.#data('POST /v1/enrollments', { ...options, body: enrollment }),
    end: (enrollmentId: string, options?: CallOptions) =>
      this.#data('POST /v1/enrollments/{enrollmentId}/end', { ...options, path: { enrollmentId } }),
  };

  /** Codes that people type in. */
  readonly codes = {
    /** Enrolls the participant if needed. Without your own `code`, returns the existing one. */
    create: (code: BodyOf<'POST /v1/referral-codes'>, options?: CallOptions) =>
      this.#data('POST /v1/referral-codes', { ...options, body: code }),
  };

  /** Links that people share. */
  readonly links = {
    /** Enrolls the participant if needed; they share the `url` of the result. */
    create: (link: BodyOf<'POST /v1/referral-links'>, options?: CallOptions) =>
      this.#data('POST /v1/referral-links', { ...options, body: link }),
  };

  /** Who referred whom. */
  readonly referrals = {
    list: (filters: Filters<'GET /v1/referrals'> = {}, options?: CallOptions) =>
      this.list('GET /v1/referrals', { ...options, query: filters }),
    get: (id: string, options?: CallOptions) =>
      this.#data('GET /v1/referrals/{id}', { ...options, path: { id } }),
  };

  /** The facts you reported, and their results. */
  readonly events = {
    list: (filters: Filters<'GET /v1/events'> = {}, options?: CallOptions) =>
      this.list('GET /v1/events', { ...options, query: filters }),
    get: (id: string, options?: CallOptions) =>
      this.#data('GET /v1/events/{id}', { ...options, path: { id } }),
    /** Why it was attributed this way, and what each rule gave, or why it gave nothing. */
    explain: (id: string, options?: CallOptions) =>
      this.#data('GET /v1/events/{id}/explanation', { ...options, path: { id } }),
  };

  /** What participants earned. */
  readonly rewards = {
    list: (filters: Filters<'GET /v1/rewards'> = {}, options?: CallOptions) =>
      this.list('GET /v1/rewards', { ...options, query: filters }),
    get: (rewardId: string, options?: CallOptions) =>
      this.request('GET /v1/rewards/{rewardId}', { ...options, path: { rewardId } }),
    /** Your product granted it; `externalReference` is your product's id of the grant. */
    fulfill: (rewardId: string, externalReference: string, options?: CallOptions) =>
      this.request('POST /v1/rewards/{rewardId}/fulfillment', {
        ...options,
        path: { rewardId },
        body: { externalReference },
      }),
    /** Your product took back what it had granted. */
    revoke: (rewardId: string, externalReference: string, options?: CallOptions) =>
      this.request('POST /v1/rewards/{rewardId}/revocation', {
        ...options,
        path: { rewardId },
        body: { externalReference },
      }),
    /** The reward was not due. */
    void: (
      rewardId: string,
      why: BodyOf<'POST /v1/rewards/{rewardId}/void'>,
      options?: CallOptions,
    ) =>
      this.request('POST /v1/rewards/{rewardId}/void', {
        ...options,
        path: { rewardId },
        body: why,
      }),
  };

  async #data<O extends Operation>(operation: O, ...call: CallArguments<O>): Promise<Data<O>> {
    const answer: unknown = await this.request(operation, ...call);
    return (answer as { data: Data<O> }).data;
  }
}

/** Removes a trailing slash; the service's address may include a path. */
function toBase(url: string): string {
  // `localhost:8080` would parse as a URL with the scheme `localhost`.
  if (!/^https?:\/\//i.test(url)) {
    throw new TypeError('Give the client the url of the service: http://… or https://…');
  }
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, '');
}

function credentialOf({ apiKey, adminToken }: GoodwordOptions): Record<string, string> {
  if (apiKey) return { 'x-api-key': checked('apiKey', apiKey) };
  if (adminToken) return { authorization: `Bearer ${checked('adminToken', adminToken)}` };
  throw new TypeError('Give the client an apiKey or an adminToken.');
}

/** Refuses values that cannot be sent: `fetch` would repeat them in its error, and so in a log. */
function checked(name: string, value: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new TypeError(`The ${name} has characters that no key has, such as a line’s end.`);
}
