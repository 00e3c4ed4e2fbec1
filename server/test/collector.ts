import { receiveHttp } from './receiver.ts';

/** A span as OTLP has it, its attributes as an object. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { traceId: string; spanId: string }[];
  readonly status: { readonly code?: number };
}

export interface Collector {
  readonly url: string;
  readonly spans: CollectedSpan[];
  /** All that came, as it came, and the headers it came with. */
  readonly texts: string[];
  readonly headers: Record<string, unknown>[];
  /** How often it said no. */
  readonly refusals: () => number;
  close(): Promise<void>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
type Sent = Omit<CollectedSpan, 'attributes'> & { readonly attributes: readonly Attribute[] };
interface Batch {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Sent[] }[];
  }[];
}

/** Takes spans as a collector of OpenTelemetry does: OTLP over HTTP, as JSON. */
export async function startCollector(statuses: readonly number[] = []): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const texts: string[] = [];
  const headers: Record<string, unknown>[] = [];
  const answers = [...statuses];
  let refusals = 0;
  const receiver = await receiveHttp((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const status = answers.shift() ?? 200;
      response.statusCode = request.url === '/v1/traces' ? status : 404;
      response.end('{}');
      if (response.statusCode !== 200) {
        refusals += 1;
        return;
      }
      texts.push(text);
      headers.push(request.headers);
      for (const { scopeSpans } of (JSON.parse(text) as Batch).resourceSpans) {
        for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
          spans.push({ ...span, attributes: toObject(span.attributes) });
        }
      }
    });
  });
  const { port, close } = receiver;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    texts,
    headers,
    refusals: () => refusals,
    close,
  };
}

function toObject(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
