import { GoodwordError, toError } from './errors.ts';
import { TRAITS } from './generated/api.ts';
import type { CallOptions } from './operations.ts';
import { readRetryAfter, wait, waitBeforeRepeat } from './retry.ts';
import { webcrypto } from './webcrypto.ts';

export interface TransportOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly projectId: string | undefined;
  readonly fetch: typeof fetch;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly attemptTimeoutMs: number;
}

/** A call of an operation that is chosen at run time. */
export interface AnyCall extends CallOptions {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
}

export interface Attempt {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  /** Whether it may be retried although the result of the last attempt is unknown. */
  readonly isRepeatable: boolean;
}

/** Facts are deduplicated by their person or their `sourceEventId`. */
const RECOGNISED = /^POST \/v1\/(track\/|identify$|simulations\/)/;

/** The service is unreachable or about to stop. Other failures seldom pass within a call. */
const PASSES_SOON = new Set([502, 503, 504]);

/** Sends calls, and retries those that failed temporarily. */
export class Transport {
  readonly options: TransportOptions;

  constructor(options: TransportOptions) {
    assertRetries(options.retries);
    this.options = options;
  }

  /** The answer as JSON, or as text if it is not JSON. */
  async send(operation: string, call: AnyCall = {}): Promise<unknown> {
    const attempt = this.prepare(operation, call);
    const { retries = this.options.retries, timeoutMs = this.options.timeoutMs, signal } = call;
    const { attemptTimeoutMs = this.options.attemptTimeoutMs } = call;
    assertRetries(retries);
    const deadline = Date.now() + timeoutMs;
    for (let repeat = 0; ; repeat += 1) {
      try {
        const leftMs = Math.max(0, deadline - Date.now());
        return await this.#sendOnce(attempt, Math.min(leftMs, attemptTimeoutMs), signal);
      } catch (error) {
        if (!(error instanceof GoodwordError) || repeat >= retries) throw error;
        if (!mayRepeat(attempt, error)) throw error;
        const waitMs = waitBeforeRepeat(repeat, error.retryAfterMs, Math.random());
        // A wait beyond the deadline would be useless.
        if (Date.now() + waitMs >= deadline) throw error;
        await wait(waitMs, signal);
      }
    }
  }

  /** Everything that all attempts of a call share, including the Idempotency-Key. */
  prepare(operation: string, { path, query, body, headers, idempotencyKey }: AnyCall): Attempt {
    const [method = '', template = ''] = operation.split(' ');
    const { project, takesKey = false } = TRAITS[operation] ?? {};
    const own = this.options.projectId === undefined ? {} : { projectId: this.options.projectId };
    const within = (place: typeof project, given: object | undefined) =>
      project === place ? { ...own, ...withoutUndefined(given) } : withoutUndefined(given);
    const sent = project === 'body' || body ? JSON.stringify(within('body', body)) : undefined;
    const isRecognised = RECOGNISED.test(operation);
    const key = idempotencyKey ?? (takesKey && !isRecognised ? webcrypto.randomUUID() : undefined);
    const isIdempotent = method === 'GET' || method === 'PUT' || method === 'DELETE';
    const allHeaders = {
      ...this.options.headers,
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...withLowerNames(headers),
    };
    assertSendable(allHeaders);
    return {
      method,
      url:
        this.options.url +
        fillPath(template, within('path', path) ?? {}) +
        toSearch(within('query', query) ?? {}),
      headers: allHeaders,
      body: sent,
      isRepeatable: isIdempotent || isRecognised || (takesKey && key !== undefined),
    };
  }

  async #sendOnce(
    attempt: Attempt,
    limitMs: number,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const connection = linkedTo(signal);
    const timer = setTimeout(connection.timeOut, limitMs);
    try {
      const { response, text } = await this.#exchange(attempt, connection.signal);
      if (response.ok) return readAnswer(response, text);
      const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now());
      throw toError(response.status, response.headers, text, retryAfterMs);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw error;
    } finally {
      clearTimeout(timer);
      connection.unlink();
    }
  }

  async #exchange({ method, url, headers, body }: Attempt, signal: AbortSignal) {
    try {
      // As a plain function: on many platforms `fetch` accepts no other `this`.
      const { fetch } = this.options;
      // A redirect would send the key to another address.
      const init = { method, headers, signal, redirect: 'manual' as const };
      const response = await fetch(url, body === undefined ? init : { ...init, body });
      return { response, text: await response.text() };
    } catch (cause) {
      const message = signal.aborted
        ? `No answer to ${method} ${url.split('?', 1)[0]} in time.`
        : `No answer to ${method} ${url.split('?', 1)[0]}.`;
      throw new GoodwordError({ code: 'NO_ANSWER', message, cause });
    }
  }
}

/** With NaN a call would be retried until its deadline. */
function assertRetries(retries: number): void {
  if (!(retries >= 0)) throw new RangeError('retries must be 0 or more.');
}

/**
 * A call that may have been carried out is retried only if a repeat has no further effect. A 429 is
 * sent before anything is done.
 */
function mayRepeat({ isRepeatable }: Attempt, { code, status }: GoodwordError): boolean {
  if (status === 429) return true;
  return isRepeatable && (code === 'NO_ANSWER' || PASSES_SOON.has(status));
}

function readAnswer(response: Response, text: string): unknown {
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('application/json')) {
    if (type.startsWith('text/csv')) return text;
    throw toError(response.status, response.headers, '', null);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    // Cut off in transit.
    const message = 'The answer is not whole.';
    throw new GoodwordError({ code: 'NO_ANSWER', message, status: response.status, cause });
  }
}

/** A controller that is aborted together with another signal, until they are unlinked. */
export function linkedTo(signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    /** Distinguished from other failures by the name of the cause. */
    timeOut: () => controller.abort(new DOMException('The time is up.', 'TimeoutError')),
    unlink: () => signal?.removeEventListener('abort', abort),
  };
}

function fillPath(template: string, values: object): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = (values as Record<string, unknown>)[name];
    const segment = encodeURIComponent(String(value ?? ''));
    // These would lead to another address; no id looks like this.
    if (/^\.{0,2}$/.test(segment)) throw new TypeError(`${name} cannot be "${segment}".`);
    return segment;
  });
}

function toSearch(values: object): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** Overrides the client's own headers, in any spelling. */
function withLowerNames(headers: CallOptions['headers'] = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/**
 * A header that `fetch` refuses would look like a network failure, and its error repeats the value.
 */
function assertSendable(headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw new TypeError(`The header ${name} cannot be sent as it is.`);
    }
  }
}

/** Prevents `projectId: undefined` from hiding the client's own. */
function withoutUndefined(values: object | undefined): object | undefined {
  if (values === undefined) return undefined;
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
