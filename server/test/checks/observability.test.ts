import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { RewardProvider } from '../../src/domain/rewards/delivery/provider.ts';
import type { PayoutProvider } from '../../src/outbound/payouts/provider.ts';
import type { Outcome } from '../../src/outbound/webhooks/dispatch/decide-outcome.ts';
import type { BatchReport } from '../../src/platform/feed/writer/writer.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import { askedBy, metricsOf, selectedBy } from '../promql.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
const { groups } = parse(read('deploy/prometheus/goodword.rules.yml')) as {
  groups: { name: string; rules: Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}
const dashboard = JSON.parse(read('deploy/grafana/goodword.json')) as {
  panels: Panel[];
  templating: { list: { query: string }[] };
};
const targets = dashboard.panels.flatMap(({ targets = [] }) => targets);

/** Everything that the service can tell, each told once. */
async function tellAll(): Promise<Map<string, Set<string>>> {
  const metrics = createMetrics();
  metrics.observeRequest({ method: 'GET', route: '/docs', status: 200, ms: 1 });
  metrics.observeBatch({ handler: 'track', size: 1, ms: 1, outcome: 'committed', appended: 2 });
  metrics.observeAttempt({ outcome: 'succeeded', latencyMs: 1 });
  metrics.observeCall({ provider: 'wise', operation: 'submit', outcome: 'paid', ms: 1 });
  metrics.countRetry('40001');
  metrics.observeRun('webhooks', 1_000);
  metrics.watchPendingWrites(() => 0);
  metrics.watchOpenStreams(() => 0);
  metrics.watchPools(() => [{ pool: 'read', busy: 1, idle: 2, waiting: 0 }]);
  metrics.watchDatabase(async () => true);
  metrics.watchBacklog(async () => ({
    deliveries: { pending: 1, lagSeconds: 2 },
    payouts: { unanswered: 0, unansweredSeconds: 0, overdueSeconds: 0 },
    heldWorkspaces: 0,
  }));
  return metricsOf(await metrics.render());
}

/** What Prometheus itself adds to all that it scrapes. */
const SCRAPED = ['job', 'instance'];

async function findUnknown(expressions: readonly string[]): Promise<string[]> {
  const known = await tellAll();
  known.set('up', new Set());
  return expressions.flatMap((expression) =>
    askedBy(expression).flatMap(({ name, labels }) => {
      const has = known.get(name);
      if (!has) return [`${name} in ${expression}`];
      return labels
        .filter((label) => !has.has(label) && !SCRAPED.includes(label))
        .map((label) => `${name}{${label}} in ${expression}`);
    }),
  );
}

test('every alert asks for metrics, and by labels, that the service has', async () => {
  expect(rules.length).toBeGreaterThan(15);
  expect(await findUnknown(rules.map(({ expr }) => expr))).toEqual([]);
});

test('every panel of the dashboard does, too', async () => {
  expect(targets.length).toBeGreaterThan(25);
  expect(await findUnknown(targets.map(({ expr }) => expr))).toEqual([]);
});

type AnswerTo<M extends (...asked: never[]) => unknown> = Awaited<ReturnType<M>>;
type ProviderOutcome =
  | AnswerTo<PayoutProvider['submit' | 'find' | 'report']>['state']
  | AnswerTo<RewardProvider['deliver' | 'takeBack' | 'find']>['state']
  | 'told'
  | 'thrown';

/** Every answer of a provider, and whether the call came to nothing. The types keep it complete. */
const COMES_TO_NOTHING: Record<ProviderOutcome, boolean> = {
  paid: false,
  processing: false,
  returned: false,
  delivered: false,
  // About the payee, not about the provider.
  failed: false,
  none: false,
  begun: false,
  ask_by_order: false,
  told: false,
  refused: true,
  retry: true,
  locked_out: true,
  unknown: true,
  thrown: true,
};
const BATCHES: Record<BatchReport['outcome'], true> = {
  committed: true,
  refused: true,
  failed: true,
};
const ATTEMPTS: Record<Outcome['outcome'], true> = {
  succeeded: true,
  retrying: true,
  failed: true,
};
const workers = [...read('server/src/workers.ts').matchAll(/watch\('(\w+)'\)/g)].map(
  ([, name = '']) => name,
);
/** What labels can be, by the metric that has them, or for all. */
const VALUES: Record<string, readonly string[]> = {
  'goodword_provider_call_seconds.outcome': Object.keys(COMES_TO_NOTHING),
  'goodword_write_batch_seconds.outcome': Object.keys(BATCHES),
  'goodword_webhook_attempt_seconds.outcome': Object.keys(ATTEMPTS),
  worker: workers,
  route: Object.keys(JSON.parse(read('openapi.json')).paths),
  status: ['200', '400', '401', '403', '404', '409', '422', '429', '500', '503'],
  state: ['busy', 'idle'],
  pool: ['read', 'write'],
};

test('what alerts and panels select by are values that there are', () => {
  const selected = [...rules, ...targets]
    .flatMap(({ expr }) => selectedBy(expr))
    .filter(({ label, value }) => !SCRAPED.includes(label) && !value.startsWith('$'));
  expect(selected.length).toBeGreaterThan(10);
  for (const { name, label, value } of selected) {
    const metric = name.replace(/_(bucket|count|sum)$/, '');
    const known = VALUES[`${metric}.${label}`] ?? VALUES[label] ?? [];
    const isKnown = known.some((one) => new RegExp(`^(?:${value})$`).test(one));
    expect(isKnown, `${name}{${label}="${value}"}`).toBe(true);
  }
});

test('a provider fails by every answer that comes to nothing, such as to a revoked credential', () => {
  const expr = rules.find(({ alert }) => alert === 'GoodwordProviderFailing')?.expr ?? '';
  const selected = selectedBy(expr).map(({ value }) => value);
  const nothing = Object.entries(COMES_TO_NOTHING).filter(([, isNothing]) => isNothing);
  expect(selected.toSorted()).toEqual(nothing.map(([outcome]) => outcome).toSorted());
});

test('what an expression asks for is found out, and what it does not is noticed', () => {
  expect(askedBy('sum by (a) (rate(x_total{b=~"c.*",d!="e"}[5m])) / time() > 1e6')).toEqual([
    { name: 'x_total', labels: ['b', 'd', 'a'] },
  ]);
  expect(() => askedBy('sum(rate(x[5m])')).toThrow('Brackets differ');
  expect(() => askedBy('summ(x)')).toThrow('no function');
});

test('every metric of ours is on the dashboard or in an alert', async () => {
  const asked = new Set(
    [...rules, ...targets].flatMap(({ expr }) => askedBy(expr)).map(({ name }) => name),
  );
  const isAsked = (name: string) =>
    ['', '_bucket', '_count', '_sum'].some((end) => asked.has(name + end));
  const ours = new Set(
    [...(await tellAll()).keys()]
      .filter((name) => name.startsWith('goodword_'))
      .map((name) => name.replace(/_(bucket|count|sum)$/, '')),
  );
  expect([...ours].filter((name) => !isAsked(name))).toEqual([]);
});

test('every alert has its runbook, and every runbook its alert', () => {
  const runbooks = [...read('docs/runbooks.md').matchAll(/^## (Goodword\w+)$/gm)].map(
    ([, name = '']) => name,
  );
  expect(runbooks.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  for (const { alert, annotations, labels } of rules) {
    expect(annotations.runbook).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
    expect(annotations.summary).not.toBe('');
    expect(['critical', 'warning']).toContain(labels.severity);
  }
});

test('a legend and a summary name only labels that their expression leaves', () => {
  const templates = [
    ...targets.map(({ expr, legendFormat }) => [expr, legendFormat] as const),
    ...rules.map(({ expr, annotations }) => [expr, annotations.summary] as const),
  ];
  for (const [expr, template] of templates) {
    const named = [...template.matchAll(/\{\{ ?(?:\$labels\.)?(\w+) ?\}\}/g)].map(
      ([, label]) => label,
    );
    const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) =>
      list.split(/,\s*/),
    );
    for (const label of named) {
      if (label === 'value' || (grouped.length === 0 && !/\b(sum|max|min)\(/.test(expr))) continue;
      expect(grouped, expr).toContain(label);
    }
  }
});
