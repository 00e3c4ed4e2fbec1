import { setTimeout as delay } from 'node:timers/promises';
import type { EndedSpan, SpanContext, SpanKind } from '../kit/tracer.ts';

export interface ExporterOptions {
  /** The collector's address, without /v1/traces. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly version: string;
  /** Called when spans are lost, with their number. */
  readonly onLost: (count: number, why: string) => void;
}

const FLUSH_MS = 2_000;
const BATCH_MAX = 512;
/** Spans that the collector does not accept in time are lost: the service matters more than its traces. */
const QUEUE_MAX = 4_096;
const DEADLINE_MS = 10_000;
/** Stopping has its own deadline, which traces must not use up. */
const CLOSE_MS = 3_000;
const TRIES = 3;
const TRY_AGAIN_MS = 1_000;
const KINDS: Record<SpanKind, number> = { internal: 1, server: 2, client: 3 };
const FAILED = 2;

export interface Exporter {
  add(span: EndedSpan): void;
  /** Sends the remaining spans, as far as the collector accepts them in CLOSE_MS, and accepts no more. */
  close(): Promise<void>;
}

/** Sends spans to an OpenTelemetry collector: OTLP over HTTP, as JSON. */
export function createExporter(options: ExporterOptions): Exporter {
  let waiting: EndedSpan[] = [];
  let sending: Promise<void> | null = null;
  let request = new AbortController();
  let isTooLate = false;
  const closing = new AbortController();
  const timer = setInterval(flush, FLUSH_MS).unref();

  /** One batch is in progress at a time: later spans wait in the queue, where they are counted. */
  function flush(): void {
    if (waiting.length === 0) return;
    sending ??= sendBatches().finally(() => {
      sending = null;
    });
  }

  async function sendBatches(): Promise<void> {
    do {
      await send(waiting.splice(0, BATCH_MAX));
    } while (waiting.length >= BATCH_MAX);
  }

  async function send(batch: readonly EndedSpan[]): Promise<void> {
    const body = JSON.stringify(toOtlp(batch, options));
    for (let tries = 1; ; tries += 1) {
      const isLast = tries === TRIES || closing.signal.aborted;
      const refusal = await tryToSend(body);
      if (refusal === null) return;
      if (!refusal.isWorthARetry || isLast || isTooLate) {
        options.onLost(batch.length, refusal.why);
        return;
      }
      // Closing ends the pause; what follows is the last attempt.
      await delay(TRY_AGAIN_MS * tries, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  async function tryToSend(body: string): Promise<Refusal | null> {
    request = new AbortController();
    if (isTooLate) request.abort();
    const deadline = setTimeout(() => request.abort(), DEADLINE_MS);
    const refusal = await post(options, body, request.signal);
    clearTimeout(deadline);
    return refusal;
  }

  return {
    add(span) {
      if (closing.signal.aborted) return;
      if (waiting.length >= QUEUE_MAX) {
        options.onLost(waiting.length, 'the collector is too slow');
        waiting = [];
      }
      waiting.push(span);
      if (waiting.length >= BATCH_MAX) flush();
    },
    async close() {
      clearInterval(timer);
      closing.abort();
      const deadline = setTimeout(() => {
        isTooLate = true;
        request.abort();
      }, CLOSE_MS);
      await sending;
      while (waiting.length > 0) await send(waiting.splice(0, BATCH_MAX));
      clearTimeout(deadline);
    },
  };
}

interface Refusal {
  readonly why: string;
  readonly isWorthARetry: boolean;
}

async function post(
  { endpoint, headers }: ExporterOptions,
  body: string,
  signal: AbortSignal,
): Promise<Refusal | null> {
  try {
    const response = await fetch(`${endpoint}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'error',
      signal,
    });
    await response.arrayBuffer();
    if (response.ok) return null;
    const { status } = response;
    return {
      why: `the collector answered ${status}`,
      isWorthARetry: status === 429 || status >= 500,
    };
  } catch (error) {
    const why = signal.aborted ? 'the collector is too slow' : (error as Error).name;
    return { why, isWorthARetry: true };
  }
}

function toOtlp(
  spans: readonly EndedSpan[],
  { serviceName, version }: Pick<ExporterOptions, 'serviceName' | 'version'>,
): object {
  return {
    resourceSpans: [
      {
        resource: {
          attributes: toAttributes({ 'service.name': serviceName, 'service.version': version }),
        },
        scopeSpans: [{ scope: { name: 'goodword', version }, spans: spans.map(toOtlpSpan) }],
      },
    ],
  };
}

function toOtlpSpan(span: EndedSpan): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentId === null ? {} : { parentSpanId: span.parentId }),
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: `${span.startedAt}000`,
    endTimeUnixNano: `${span.endedAt}000`,
    attributes: toAttributes(span.attributes),
    links: span.links.map(({ traceId, spanId }: SpanContext) => ({ traceId, spanId })),
    status: span.isFailed ? { code: FAILED } : {},
  };
}

function toAttributes(attributes: EndedSpan['attributes']): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: toValue(value) }));
}

function toValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
