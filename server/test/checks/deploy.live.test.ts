import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/platform/config/config.ts';
import { openService, type TestService } from '../harness.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const start = read('server/src/start-service.ts');
const closeSeconds = Number(/CLOSE_MS = ([\d_]+)/.exec(start)?.[1]?.replaceAll('_', '')) / 1_000;
/** The longest that a process takes to end, by what its DRAIN_SECONDS is. */
const endSeconds = (drainSeconds: number) => 2 * drainSeconds + closeSeconds;
/** What processes behind nginx have: those of systemd and compose may be among them. */
const behindNginx = Number(/DRAIN_SECONDS=(\d+)/.exec(read('deploy/nginx/goodword.conf'))?.[1]);

/** The settings that config.ts reads: those that it asks its environment for. */
const settings = new Set<string>();
readConfig(
  new Proxy(
    {},
    {
      get: (_target, name) => {
        settings.add(String(name));
        return undefined;
      },
    },
  ),
);
/** Not ours: what the runtime looks at. */
const OTHERS = ['NODE_ENV'];
const unknown = (names: Iterable<string>) =>
  [...names].filter((name) => !settings.has(name) && !OTHERS.includes(name));

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
const answers = async (path: string) => (await fetch(service.url + path)).status;

test('settings are found out from the program', () => {
  expect([...settings]).toEqual(expect.arrayContaining(['PORT', 'ROOT_KEY', 'ROOT_KEY_FILE']));
  expect(unknown(['PORTS'])).toEqual(['PORTS']);
  expect(settings).toContain('DRAIN_SECONDS');
  expect(start).toContain('2 * drainMs + CLOSE_MS');
  expect(endSeconds(behindNginx)).toBe(50);
});

describe('Kubernetes', () => {
  // biome-ignore lint/suspicious/noExplicitAny: manifests of every shape
  type Manifest = any;
  const FOLDER = 'deploy/kubernetes/';
  const manifests: Manifest[] = readdirSync(new URL(FOLDER, ROOT))
    .flatMap((name) => parseAllDocuments(read(FOLDER + name)))
    .map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS();
    });
  const ofKind = (kind: string) => manifests.filter((one) => one.kind === kind);
  const [kustomization] = ofKind('Kustomization');
  const deployments = ofKind('Deployment');
  const containers = deployments.map((one) => one.spec.template.spec.containers[0]);

  test('the kustomization has every file but the example, and only settings that there are', () => {
    const files = readdirSync(new URL(FOLDER, ROOT)).toSorted();
    expect([...kustomization.resources, 'ingress.yaml', 'kustomization.yaml'].toSorted()).toEqual(
      files,
    );
    const [{ literals }] = kustomization.configMapGenerator;
    expect(unknown(literals.map((pair: string) => pair.split('=')[0]))).toEqual([]);
    expect(() =>
      readConfig(Object.fromEntries(literals.map((pair: string) => pair.split('=')))),
    ).not.toThrow();
  });

  test('processes are ready, alive and scraped by routes that answer, on the port they listen on', async () => {
    expect(deployments).toHaveLength(2);
    for (const { spec } of deployments) {
      const [container] = spec.template.spec.containers;
      const env = new Map<string, { value?: string }>(
        container.env.map((one: { name: string }) => [one.name, one]),
      );
      expect(unknown(env.keys())).toEqual([]);
      const port = Number(env.get('PORT')?.value);
      expect(container.ports).toEqual([{ name: 'http', containerPort: port }]);
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        const { path, port: name } = container[probe].httpGet;
        expect(name).toBe('http');
        expect(await answers(path), path).toBe(200);
      }
      const scrape = spec.template.metadata.annotations;
      expect(scrape['prometheus.io/port']).toBe(String(port));
      expect(await answers(scrape['prometheus.io/path'])).toBe(200);
    }
  });

  test('there is time to drain after the endpoints have forgotten a pod', () => {
    const [{ literals }] = kustomization.configMapGenerator;
    const { drainSeconds } = readConfig(
      Object.fromEntries(literals.map((pair: string) => pair.split('='))),
    );
    expect(drainSeconds).toBeGreaterThan(0);
    for (const { spec } of deployments) {
      const { terminationGracePeriodSeconds, containers } = spec.template.spec;
      const [program, seconds] = containers[0].lifecycle.preStop.exec.command;
      expect(program).toBe('sleep');
      expect(terminationGracePeriodSeconds).toBeGreaterThan(
        Number(seconds) + endSeconds(drainSeconds) + 5,
      );
      expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
    }
  });

  test('secrets are only referred to, and all that the service needs are', () => {
    for (const { env } of containers) {
      const referred = env.filter(
        (one: Manifest) => one.valueFrom?.secretKeyRef?.name === 'goodword-secrets',
      );
      expect(referred.map((one: Manifest) => one.name)).toEqual([
        'DATABASE_URL',
        'ADMIN_TOKEN',
        'ROOT_KEY',
      ]);
    }
    expect(ofKind('Secret')).toEqual([]);
  });

  test('what the policy "restricted" asks for is there', () => {
    for (const { spec } of deployments) {
      expect(spec.template.spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(spec.template.spec.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(spec.template.spec.containers[0].resources.limits.memory).toBe('1Gi');
    }
  });

  test('the service, the budgets and the spreading select pods that there are', () => {
    const labels = deployments.map((one) => one.spec.template.metadata.labels);
    const selectors = [
      ...deployments.map((one) => one.spec.selector.matchLabels),
      ...ofKind('Service').map((one) => one.spec.selector),
      ...ofKind('PodDisruptionBudget').map((one) => one.spec.selector.matchLabels),
    ];
    expect(selectors).toHaveLength(5);
    for (const selector of selectors) expect(labels).toContainEqual(selector);
    expect(ofKind('PodDisruptionBudget').map((one) => one.spec.maxUnavailable)).toEqual([1, 1]);
  });

  test('the ingress leads to all that is for others, and to nothing that is not', () => {
    const [{ spec }] = ofKind('Ingress');
    const paths: string[] = spec.rules[0].http.paths.map((one: { path: string }) => one.path);
    const isLed = (route: string) =>
      paths.some((path) => route === path || route.startsWith(`${path}/`));
    // The branches of the tree of routes.
    const tree = service.app.printRoutes({ commonPrefix: false });
    const routes = [...tree.matchAll(/^ {4}[├└]── (\S+)/gm)].map(([, route]) => `/${route}`);
    expect(routes.length).toBeGreaterThan(50);
    const inside = routes.filter((route) => !isLed(route));
    expect(inside.toSorted()).toEqual(['/healthz', '/metrics', '/readyz']);
  });
});

describe('compose', () => {
  const compose = parse(read('deploy/compose.yaml'));
  const { goodword, postgres } = compose.services;

  test('it has settings and secrets that there are, each handed over as a file', () => {
    expect(unknown(Object.keys(goodword.environment))).toEqual([]);
    for (const name of ['TRUST_PROXY', 'DRAIN_SECONDS']) {
      expect(goodword.environment[name]).toBe(`\${${name}:-}`);
    }
    for (const one of [goodword, postgres]) {
      const files = Object.values(one.environment as Record<string, string>)
        .filter((value) => value.startsWith('/run/secrets/'))
        .map((value) => value.slice('/run/secrets/'.length));
      expect(files).toEqual(one.secrets);
      for (const name of files) expect(compose.secrets[name].file).toBe(`secrets/${name}`);
    }
    expect(read('.gitignore').split('\n')).toContain('deploy/secrets/');
  });

  test('it waits for the database, is read-only and not root’s, and has time to drain', () => {
    expect(goodword.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    expect(postgres.healthcheck.test).toContain('pg_isready');
    expect(goodword).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    expect(Number.parseInt(goodword.stop_grace_period, 10)).toBeGreaterThan(
      endSeconds(behindNginx),
    );
    expect(goodword.ports).toEqual(['127.0.0.1:8080:8080']);
  });
});

test('the systemd unit has settings that there are, and time to drain', () => {
  const lines = read('deploy/systemd/goodword.service')
    .replace(/^#(?=[A-Z])/gm, '')
    .split('\n');
  const valuesOf = (key: string) =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));
  const environment = valuesOf('Environment').flatMap((line) => line.split(' '));
  expect(environment).toHaveLength(5);
  expect(unknown(environment.map((pair) => pair.split('=')[0] as string))).toEqual([]);
  expect(Number(valuesOf('TimeoutStopSec'))).toBeGreaterThan(endSeconds(behindNginx));
  for (const line of lines) expect(line).toMatch(/^($|#|\[\w+\]$|[A-Z]\w+=)/);
  expect(valuesOf('ExecStart')).toEqual(['/usr/bin/node /opt/goodword/server/dist/main.js']);
});
