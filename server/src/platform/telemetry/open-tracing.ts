import { Tracer } from '../kit/tracer.ts';
import { VERSION } from '../kit/version.ts';
import type { Logger } from './log.ts';
import { createExporter } from './otlp-exporter.ts';
import { traceCalls } from './trace-calls.ts';

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
