import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolState } from '../db/driver.ts';
import type { BatchReport } from '../feed/writer/writer.ts';
import { VERSION } from '../kit/version.ts';

/** One call to a provider and its result: never about whom. */
export interface ProviderCall {
  /** As named in deliveries: paypal, wise, stripe_balance and so on. */
  readonly provider: string;
  readonly operation: 'submit' | 'find' | 'report' | 'deliver' | 'take_back';
  /** The state of its answer; `told` for a report, `thrown` if it failed. */
  readonly outcome: string;
  readonly ms: number;
}

/** Work that waits in the database. */
export interface Backlog {
  readonly deliveries: { readonly pending: number; readonly lagSeconds: number };
  readonly payouts: {
    readonly unanswered: number;
    readonly unansweredSeconds: number;
    readonly overdueSeconds: number;
  };
  /** Workspaces that pay nothing because their store was restored. */
  readonly heldWorkspaces: number;
}

export interface Metrics {
  observeRequest(answer: { method: string; route: string; status: number; ms: number }): void;
  observeBatch(batch: BatchReport): void;
  observeAttempt(attempt: { outcome: string; latencyMs: number }): void;
  observeCall(call: ProviderCall): void;
  /** A transaction is retried because of this SQLSTATE or socket error code. */
  countRetry(code: string): void;
  /** A worker has looked for work at this time. */
  observeRun(worker: string, nowMs: number): void;
  countFailure(worker: string): void;
  /** Reads the number at every scrape; the following do the same. */
  watchPendingWrites(read: () => number): void;
  watchOpenStreams(read: () => number): void;
  watchPools(read: () => readonly PoolState[]): void;
  watchDatabase(isUp: () => Promise<boolean>): void;
  /** Null if the database does not respond. */
  watchBacklog(read: () => Promise<Backlog | null>): void;
  readonly contentType: string;
  render(): Promise<string>;
}

/**
 * Labels are few and fixed: no id of a Project or person ever becomes one. `ofProcess` adds those of the process: what
 * observes it stays as long as the process does.
 */
export function createMetrics({ ofProcess = true } = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (ofProcess) collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'goodword_build_info',
    help: 'Always 1; the labels have the versions',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: VERSION, node: process.versions.node }, 1);
  const requests = new Histogram({
    name: 'goodword_http_request_seconds',
    help: 'Time from the first byte of a request to the last byte of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const batchSizes = new Histogram({
    name: 'goodword_write_batch_commands',
    help: 'Number of commands in one write transaction',
    labelNames: ['handler'],
    buckets: [1, 2, 5, 10, 20, 50, 100, 200],
    registers,
  });
  const batchTimes = new Histogram({
    name: 'goodword_write_batch_seconds',
    help: 'Duration of a write transaction, including retries and the wait for the lock',
    labelNames: ['handler', 'outcome'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers,
  });
  const feedEvents = new Counter({
    name: 'goodword_feed_events_total',
    help: 'Events that this process added to feeds',
    registers,
  });
  const retries = new Counter({
    name: 'goodword_transaction_retries_total',
    help: 'Transactions that were retried after a database error, by its code',
    labelNames: ['code'],
    registers,
  });
  const attempts = new Histogram({
    name: 'goodword_webhook_attempt_seconds',
    help: 'Time from the start of a webhook attempt to the status line or the failure',
    labelNames: ['outcome'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const calls = new Histogram({
    name: 'goodword_provider_call_seconds',
    help: 'Duration of a call to a payout or delivery provider, by its outcome',
    labelNames: ['provider', 'operation', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers,
  });
  const lastRuns = new Gauge({
    name: 'goodword_worker_last_run_timestamp_seconds',
    help: 'When a worker of this process last completed a run',
    labelNames: ['worker'],
    registers,
  });
  const failures = new Counter({
    name: 'goodword_worker_failures_total',
    help: 'Errors in background work; the log has the details',
    labelNames: ['worker'],
    registers,
  });
  const watch = (name: string, help: string, read: () => number) => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  return {
    observeRequest: ({ method, route, status, ms }) =>
      requests.observe({ method, route, status: String(status) }, ms / 1_000),
    observeBatch: ({ handler, size, ms, outcome, appended }) => {
      batchSizes.observe({ handler }, size);
      batchTimes.observe({ handler, outcome }, ms / 1_000);
      feedEvents.inc(appended);
    },
    observeAttempt: ({ outcome, latencyMs }) => attempts.observe({ outcome }, latencyMs / 1_000),
    observeCall: ({ ms, ...labels }) => calls.observe({ ...labels }, ms / 1_000),
    countRetry: (code) => retries.inc({ code }),
    observeRun: (worker, nowMs) => {
      lastRuns.set({ worker }, nowMs / 1_000);
      // Exports 0 before the first failure.
      failures.inc({ worker }, 0);
    },
    countFailure: (worker) => failures.inc({ worker }),
    watchPendingWrites: (read) =>
      watch('goodword_pending_writes', 'Commands that are queued or being written', read),
    watchOpenStreams: (read) =>
      watch('goodword_open_streams', 'Open feed streams in this process', read),
    watchPools: (read) => watchPools(registers, read),
    watchDatabase: (isUp) => watchDatabase(registers, isUp),
    watchBacklog: (read) => watchBacklog(registers, read),
    contentType: registry.contentType,
    render: () => registry.metrics(),
  };
}

function watchPools(registers: Registry[], read: () => readonly PoolState[]): void {
  new Gauge({
    name: 'goodword_database_connections',
    help: 'Connections to PostgreSQL',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const { pool, busy, idle } of read()) {
        this.set({ pool, state: 'busy' }, busy);
        this.set({ pool, state: 'idle' }, idle);
      }
    },
  });
  new Gauge({
    name: 'goodword_database_waiting',
    help: 'Statements and transactions that are waiting for a connection',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const { pool, waiting } of read()) this.set({ pool }, waiting);
    },
  });
}

function watchDatabase(registers: Registry[], isUp: () => Promise<boolean>): void {
  new Gauge({
    name: 'goodword_database_up',
    help: 'Whether the database responded to the last check',
    registers,
    async collect() {
      this.set((await isUp()) ? 1 : 0);
    },
  });
}

/** A value that cannot be read is omitted, instead of reporting the previous one. */
function watchBacklog(registers: Registry[], read: () => Promise<Backlog | null>): void {
  const watch = (name: string, help: string, pick: (backlog: Backlog) => number) => {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const backlog = await read();
        if (backlog) this.set(pick(backlog));
        else this.remove();
      },
    });
  };
  watch(
    'goodword_workspaces_held',
    'Workspaces that pay nothing because their store was restored and not released',
    ({ heldWorkspaces }) => heldWorkspaces,
  );
  watch(
    'goodword_webhook_deliveries_pending',
    'Pending webhook deliveries, including retries; counted up to 100000',
    ({ deliveries }) => deliveries.pending,
  );
  watch(
    'goodword_webhook_delivery_lag_seconds',
    'How long the oldest due delivery has been overdue',
    ({ deliveries }) => deliveries.lagSeconds,
  );
  watch(
    'goodword_payouts_unanswered',
    'Transfers about which the provider gives no answer',
    ({ payouts }) => payouts.unanswered,
  );
  watch(
    'goodword_payouts_unanswered_oldest_seconds',
    'How long the provider has given no answer about the oldest of them',
    ({ payouts }) => payouts.unansweredSeconds,
  );
  watch(
    'goodword_payouts_overdue_seconds',
    'How late the service is in calling a provider about a transfer',
    ({ payouts }) => payouts.overdueSeconds,
  );
}
