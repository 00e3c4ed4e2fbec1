import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  observeRequest(answer: { method: string; route: string; status: number; ms: number }): void;
  observeBatch(batch: { handler: string; size: number; ms: number }): void;
  observeAttempt(attempt: { outcome: string; latencyMs: number }): void;
  /** Reports the number at every scrape, as does the next. */
  watchPendingWrites(read: () => number): void;
  watchOpenStreams(read: () => number): void;
  readonly contentType: string;
  render(): Promise<string>;
}

/** Labels are few and fixed: no id of a Project or person ever becomes one. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'goodword_http_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const batchSizes = new Histogram({
    name: 'goodword_write_batch_commands',
    help: 'Commands that went into one transaction',
    labelNames: ['handler'],
    buckets: [1, 2, 5, 10, 20, 50, 100, 200],
    registers: [registry],
  });
  const batchTimes = new Histogram({
    name: 'goodword_write_batch_seconds',
    help: 'Time of one write transaction, waiting for the lock included',
    labelNames: ['handler'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  const attempts = new Histogram({
    name: 'goodword_webhook_attempt_seconds',
    help: 'Time from the start of a webhook attempt to the status line or the failure',
    labelNames: ['outcome'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const watch = (name: string, help: string, read: () => number) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
  return {
    observeRequest: ({ method, route, status, ms }) =>
      requests.observe({ method, route, status: String(status) }, ms / 1_000),
    observeBatch: ({ handler, size, ms }) => {
      batchSizes.observe({ handler }, size);
      batchTimes.observe({ handler }, ms / 1_000);
    },
    observeAttempt: ({ outcome, latencyMs }) => attempts.observe({ outcome }, latencyMs / 1_000),
    watchPendingWrites: (read) =>
      watch('goodword_pending_writes', 'Commands waiting for their Project or being written', read),
    watchOpenStreams: (read) =>
      watch('goodword_open_streams', 'Readers that follow a feed in this process', read),
    contentType: registry.contentType,
    render: () => registry.metrics(),
  };
}
