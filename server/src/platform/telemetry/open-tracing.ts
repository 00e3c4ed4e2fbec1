import { channel } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Span, Tracer, toTraceparent } from '../kit/tracer.ts';
import { VERSION } from '../kit/version.ts';
import type { Logger } from './log.ts';
import { createExporter } from './otlp-exporter.ts';

export interface TracingSettings {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly ratio: number;
}

export interface Tracing {
  readonly tracer: Tracer;
  close(): Promise<void>;
}

/** Loaded only if there is a collector. */
export function openTracing(settings: TracingSettings, logger: Logger): Tracing {
  const tracer = new Tracer(settings.ratio, (span) => tracer.silently(() => exporter.add(span)));
  const exporter = tracer.silently(() =>
    createExporter({
      ...settings,
      version: VERSION,
      onLost: (spans, why) => logger.warn({ spans, why }, 'spans lost'),
    }),
  );
  const stop = traceCalls(tracer);
  return {
    tracer,
    async close() {
      stop();
      await exporter.close();
    },
  };
}

/** The fields of undici's request that are used here. */
interface UndiciRequest {
  readonly origin?: string | URL;
  readonly method: string;
  addHeader(name: string, value: string): void;
}

/**
 * A span for every HTTP call of the service, webhooks and providers alike, from the clients' own
 * diagnostics. Only the host of the address is recorded: paths and queries contain ids and tokens.
 * Receivers get a `traceparent`. Returns the function that stops it.
 */
export function traceCalls(tracer: Tracer): () => void {
  const spans = new WeakMap<object, Span>();
  const start = (method: string, host: string) =>
    tracer.start(`${method} ${host}`, {
      kind: 'client',
      attributes: { 'http.request.method': method, 'server.address': host },
    });
  const finish = (request: object, status: number | null, failure: string | null) => {
    const span = spans.get(request);
    if (status !== null) span?.set({ 'http.response.status_code': status });
    if (failure !== null) span?.fail(failure);
    else if (status !== null && status >= 400) span?.fail(String(status));
    span?.end();
  };

  const listeners: [string, (message: never) => void][] = [
    [
      'undici:request:create',
      ({ request }: { request: UndiciRequest }) => {
        if (tracer.isSilent) return;
        const span = start(request.method, hostOf(request.origin));
        spans.set(request, span);
        request.addHeader('traceparent', toTraceparent(span));
      },
    ],
    [
      'undici:request:headers',
      ({ request, response }: { request: object; response: { statusCode: number } }) => {
        if (response.statusCode >= 200) finish(request, response.statusCode, null);
      },
    ],
    [
      'undici:request:error',
      ({ request, error }: { request: object; error: Error & { code?: string } }) =>
        finish(request, null, error.code ?? error.name),
    ],
    // The Stripe client uses Node's own.
    [
      'http.client.request.start',
      ({ request }: { request: ClientRequest }) => {
        if (tracer.isSilent) return;
        const span = start(request.method, request.host);
        spans.set(request, span);
        request.once('response', ({ statusCode = 0 }: IncomingMessage) =>
          finish(request, statusCode, null),
        );
        request.once('close', () => finish(request, null, 'closed'));
      },
    ],
  ];
  for (const [name, listener] of listeners) channel(name).subscribe(listener as () => void);
  return () => {
    for (const [name, listener] of listeners) channel(name).unsubscribe(listener as () => void);
  };
}

function hostOf(origin: string | URL | undefined): string {
  return origin === undefined ? 'unknown' : new URL(origin).hostname;
}
