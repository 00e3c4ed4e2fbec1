import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Agent } from 'undici';
import { findProjectRef } from '../src/accounts/workspaces/queries.ts';
import { buildService, type Service, type ServiceSettings } from '../src/build-service.ts';
import { flushClicks } from '../src/domain/clicks/worker.ts';
import { sendDueMails } from '../src/domain/partners/send-due-mails.ts';
import { sendDueLinks } from '../src/domain/partners/sign-in/send-due-links.ts';
import { makeDeliverRewards } from '../src/domain/rewards/delivery/deliver-rewards.ts';
import type {
  RewardDeliveryDeps,
  RewardProvider,
} from '../src/domain/rewards/delivery/provider.ts';
import { makeFeedLookups } from '../src/domain/tracking/queries.ts';
import { askAccounts } from '../src/outbound/after-restore/checks/ask-accounts.ts';
import { holdConnection } from '../src/outbound/integrations/payout-connections/payout-connection-store.ts';
import {
  createFindProvider,
  createRewardProviders,
  PROVIDER_HOSTS,
  type ProviderHosts,
} from '../src/outbound/integrations/providers.ts';
import type { StripeReach } from '../src/outbound/integrations/stripe/connections/client.ts';
import { createStripeAccounts } from '../src/outbound/integrations/stripe/connections/client.ts';
import { onBilled } from '../src/outbound/integrations/stripe/parked/settle-parked.ts';
import { settleParkedOnce } from '../src/outbound/integrations/stripe/worker.ts';
import { StripeOnboarding } from '../src/outbound/integrations/stripe-connect/onboarding.ts';
import { collectTasks } from '../src/outbound/mail/follow/collect-tasks.ts';
import { followFeeds } from '../src/outbound/mail/follow/follow-feed.ts';
import { sendMails } from '../src/outbound/mail/send/send-mails.ts';
import type { PayeeOnboarding } from '../src/outbound/payouts/details/details.ts';
import { createFindPayeeDetails } from '../src/outbound/payouts/details/payee-details.ts';
import type { PayoutDeps } from '../src/outbound/payouts/payout-deps.ts';
import type { FindProvider, PayoutProvider } from '../src/outbound/payouts/provider.ts';
import { runPayoutsOnce } from '../src/outbound/payouts/worker.ts';
import type { DispatchDeps } from '../src/outbound/webhooks/dispatch/dispatch-deps.ts';
import { createDispatcher } from '../src/outbound/webhooks/dispatch/dispatcher.ts';
import { createAddressRules } from '../src/outbound/webhooks/sender/address-rules.ts';
import type { Lookup, Reach } from '../src/outbound/webhooks/sender/resolve-host.ts';
import type { Database, Tx } from '../src/platform/db/database.ts';
import { API_VERSIONS, type ApiVersions } from '../src/platform/feed/api-versions.ts';
import type { HintListener } from '../src/platform/feed/hints.ts';
import type { ProjectWriter } from '../src/platform/feed/writer/writer.ts';
import { type DescribedRefusal, listRefusals } from '../src/platform/http/routes/refusals.ts';
import type { Method, Route } from '../src/platform/http/routes/route.ts';
import { toInstant } from '../src/platform/kit/instant.ts';
import { createKeyring } from '../src/platform/kit/keyring.ts';
import { createLogger } from '../src/platform/telemetry/log.ts';
import { createMetrics } from '../src/platform/telemetry/metrics.ts';
import { EVENT_DATA } from '../src/surfaces/views/event-data.ts';
import { emptyDatabase, openTestDatabase } from './database.ts';
import { copyProject, newProject, type TestProject } from './new-project.ts';
import { TestPayees } from './payees.ts';
import type { TestMailer } from './test-mailer.ts';

export type { TestProject };

export const ADMIN_TOKEN = 'test-admin-token-0123456789abcdef-0123456789';
export const ROOT_KEY = Buffer.alloc(32, 7);
const START_MS = Date.parse('2026-11-15T09:30:00.000Z');

/** Receivers of tests are on this machine, whatever their names. */
const LOOPBACK: Reach = {
  rules: createAddressRules(['127.0.0.0/8']),
  lookup: async () => ['127.0.0.1'],
};

/** A clock that stands still until a test moves it. */
export class TestClock {
  #ms = START_MS;
  nowMs = (): number => this.#ms;
  advance(ms: number): void {
    this.#ms += ms;
  }
  reset(): void {
    this.#ms = START_MS;
  }
  get now(): string {
    return toInstant(this.#ms);
  }
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
  readonly headers: Headers;
}

export interface CallOptions {
  readonly as?: string | 'operator' | 'nobody';
  readonly body?: unknown;
  readonly query?: Record<string, string | number | boolean>;
  readonly headers?: Record<string, string>;
}

export interface TestService {
  readonly url: string;
  /** As the program builds it. */
  readonly built: Service;
  readonly app: FastifyInstance;
  readonly clock: TestClock;
  readonly database: Database;
  readonly writer: ProjectWriter;
  readonly routes: readonly Route[];
  /** What the service logged, one JSON line after another. */
  readonly log: string[];
  /** Calls over real HTTP, and holds every answer to the schema that its route declares. */
  call(method: Method, path: string, options?: CallOptions): Promise<Answer>;
  /** Saves the clicks counted so far, as the worker does every few seconds. */
  flushClicks(): Promise<void>;
  /** Sends what is due, as the dispatcher does all the time; returns how many attempts that were. */
  dispatch(): Promise<number>;
  /** For a dispatcher of the test's own. */
  readonly dispatchDeps: DispatchDeps;
  /** Where people are paid. */
  readonly payees: TestPayees;
  /** Does what payouts wait for, as their worker does all the time, until nothing is due. */
  runPayouts(): Promise<void>;
  /** For a worker of the test's own. */
  readonly payoutDeps: PayoutDeps;
  /** Asks the accounts of restored Workspaces, as the worker does all the time. */
  askRestores(): Promise<void>;
  /** Handles what was parked and came due, as its worker does all the time, until nothing is due. */
  settleStripe(): Promise<void>;
  /** Delivers what is due, as the worker does all the time, until nothing is. */
  deliverRewards(): Promise<void>;
  /** For a worker of the test's own. */
  readonly rewardDeps: RewardDeliveryDeps;
  /** Null unless one was given. */
  readonly mailer: TestMailer | null;
  /** Sends the mails that are due, as the workers do all the time. */
  sendMails(): Promise<void>;
  newProject(environment?: 'sandbox' | 'live'): Promise<TestProject>;
  /** A Project with all that this one has. */
  copyProject(original: TestProject): Promise<TestProject>;
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly settings?: Partial<ServiceSettings>;
  readonly clock?: TestClock;
  /** Told what all processes are told of new events. */
  readonly onHint?: HintListener;
  /** Instead of a fresh one; closed with the service. */
  readonly database?: Database;
  /** How the hosts of webhooks become addresses, instead of all being this machine. */
  readonly lookup?: Lookup;
  readonly apiVersions?: ApiVersions;
  readonly payeeOnboarding?: PayeeOnboarding;
  /** Those of every Workspace, whatever it has connected. */
  readonly payoutProviders?: readonly PayoutProvider[];
  /** Where the providers are that Workspaces have connected. */
  readonly providerHosts?: Partial<ProviderHosts>;
  readonly rewardProviders?: readonly RewardProvider[];
  /** Where Stripe is; without it, nothing is delivered there. */
  readonly stripeReach?: StripeReach;
  /** Without one, nothing is mailed. */
  readonly mailer?: TestMailer;
  /** Any that is free, unless told. */
  readonly port?: number;
}

/**
 * Opens a service with an empty store, the clock at its beginning. The files of a worker hand one on,
 * for a new one takes ten times as long.
 */
export function shareService(start: () => Promise<TestService>): () => Promise<TestService> {
  /** The services of this worker that no test file has. */
  const idle: TestService[] = [];
  return async () => {
    const service = idle.pop() ?? (await start());
    return {
      ...service,
      async close() {
        await service.writer.drain();
        await emptyDatabase(service.database);
        service.clock.reset();
        service.log.length = 0;
        idle.push(service);
      },
    };
  };
}

/**
 * The shared service with the usual settings: a file that replaces parts of it, keeps streams open,
 * counts what the process counts or changes the schema starts its own.
 */
export const openService = shareService(() => startService());

export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const database = options.database ?? (await openTestDatabase());
  const clock = options.clock ?? new TestClock();
  const log: string[] = [];
  const keyring = createKeyring(ROOT_KEY);
  const { reads } = database;
  const baseUrl = 'https://refer.example.com';
  const providerHosts: ProviderHosts = { ...PROVIDER_HOSTS, ...options.providerHosts };
  const payees = new TestPayees();
  const service = buildService({
    settings: {
      baseUrl,
      adminToken: ADMIN_TOKEN,
      trustProxy: false,
      rateLimitPerSecond: null,
      failedAuthenticationsPerMinute: 1_000_000,
      applicationsPerMinute: 1_000_000,
      clicksPerMinute: 1_000_000,
      widgetCallsPerMinute: 1_000_000,
      linkVisitsPerMinute: 1_000_000,
      signInsPerMinute: 1_000_000,
      // Hashing at its usual cost would take longer than most tests.
      passwordCost: { memoryCost: 64, timeCost: 1 },
      requiresTotp: true,
      oidc: null,
      streamsMax: 1_000,
      projectStreamsMax: 50,
      servesApi: true,
      projectQueueMax: 1_000,
      ...options.settings,
    },
    database,
    clock,
    keyring,
    logger: createLogger('debug', { write: (line) => log.push(line) }),
    metrics: createMetrics(),
    mailer: options.mailer ?? null,
    ...(options.apiVersions ? { apiVersions: options.apiVersions } : {}),
    reach: { ...LOOPBACK, lookup: options.lookup ?? LOOPBACK.lookup },
    payeeOnboarding:
      options.payeeOnboarding ??
      new StripeOnboarding({
        reads,
        keyring,
        clock,
        baseUrl,
        reach: providerHosts.stripe ?? undefined,
      }),
    findDetails: payees.over(createFindPayeeDetails({ reads, clock, keyring })),
    findProvider: findAmong(
      options.payoutProviders ?? [],
      createFindProvider({ reads, keyring, clock, hosts: providerHosts }),
    ),
    holdConnection: async (tx: Tx, connectionId: string) =>
      (options.payoutProviders ?? []).some((one) => one.connectionId === connectionId) ||
      holdConnection(tx, connectionId),
    rewardProviders: [
      ...(options.rewardProviders ?? []),
      ...(options.stripeReach
        ? createRewardProviders(createStripeAccounts({ reads, keyring }, options.stripeReach))
        : []),
    ],
    providerHosts,
    isDraining: () => false,
  });
  const { app, routes, writer, hints, clickCounter } = service;
  if (options.onHint) hints.subscribe(options.onHint);
  await app.listen({ port: options.port ?? 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const call = makeCall(url, routes);
  const dispatchDeps: DispatchDeps = {
    ...service,
    ...makeFeedLookups(reads),
    findProject: (projectId) => findProjectRef(reads, projectId),
    onFailure: (error) => log.push(JSON.stringify({ failure: String(error) })),
  };
  const dispatcher = createDispatcher(dispatchDeps);
  const payoutDeps: PayoutDeps = service;
  const rewardDeps: RewardDeliveryDeps = { ...service, providers: service.rewardProviders };
  const deliverRewards = makeDeliverRewards(rewardDeps, dispatchDeps.onFailure);
  return {
    url,
    built: service,
    app,
    clock,
    database,
    writer,
    routes,
    log,
    call,
    flushClicks: () => flushClicks(database, clickCounter),
    dispatch: () => dispatcher.runOnce(),
    dispatchDeps,
    payees,
    payoutDeps,
    async runPayouts() {
      while ((await runPayoutsOnce(payoutDeps, dispatchDeps.onFailure)) > 0);
    },
    async askRestores() {
      await askAccounts(service, dispatchDeps.onFailure);
    },
    async settleStripe() {
      const stripeDeps = { ...service, onBilled, onFailure: dispatchDeps.onFailure };
      while ((await settleParkedOnce(stripeDeps)) > 0);
    },
    rewardDeps,
    async deliverRewards() {
      while ((await deliverRewards()) > 0);
    },
    mailer: options.mailer ?? null,
    async sendMails() {
      const { mailer } = options;
      if (!mailer) throw new Error('Nothing is mailed without a mailer.');
      const mailDeps = {
        ...service,
        mailer,
        baseUrl: service.settings.baseUrl,
        onFailure: dispatchDeps.onFailure,
      };
      const { signal } = new AbortController();
      while ((await sendDueMails(mailDeps, signal)) > 0);
      while ((await sendDueLinks(mailDeps, signal)) > 0);
      while ((await followFeeds(mailDeps, signal)) > 0);
      await collectTasks(mailDeps, signal);
      while ((await sendMails(mailDeps, signal)) > 0);
    },
    newProject: (environment) => newProject(service, environment),
    copyProject: (original) => copyProject(service, original),
    async close() {
      await app.close();
      await dispatcher.stop();
      await service.close();
      await database.close();
    },
  };
}

function findAmong(given: readonly PayoutProvider[], connected: FindProvider): FindProvider {
  return async (place) => given.find(({ method }) => method === place.method) ?? connected(place);
}

function makeCall(url: string, routes: readonly Route[]): TestService['call'] {
  // As the router does: a path that is named wins over one with a parameter.
  const parametersOf = ({ path }: Route) => path.split('{').length;
  const inOrder = routes.toSorted((one, other) => parametersOf(one) - parametersOf(other));
  const checks = inOrder.map((route) => ({
    method: route.method,
    matches: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`),
    route,
  }));
  return async (method, path, options = {}) => {
    const target = new URL(url + path);
    for (const [name, value] of Object.entries(options.query ?? {})) {
      target.searchParams.set(name, String(value));
    }
    const response = await http.request({
      origin: target.origin,
      path: target.pathname + target.search,
      method,
      headers: {
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...credential(options.as),
        ...options.headers,
      },
      body: options.body === undefined ? null : toBody(options.body),
    });
    const headers = toHeaders(response.headers);
    const text = await response.body.text();
    const answer = {
      status: response.statusCode,
      body: toAnswerBody(headers, text),
      headers,
    };
    const isOk = answer.status >= 200 && answer.status < 300;
    const check = checks.find((one) => one.method === method && one.matches.test(target.pathname));
    const declared = check && compileAnswer(check.route);
    assertDeclared(`${method} ${path}`, answer, isOk ? declared : errorAnswer);
    if (check && !isOk) assertRefusal(`${method} ${path}`, answer, listRefusals(check.route));
    if (isOk && target.pathname === '/v1/webhook-events') assertEventData(answer);
    return answer;
  };
}

/** The routes of every service declare the same objects. */
const compiled = new WeakMap<TSchema, ReturnType<typeof Compile>>();
function compileAnswer({ answer }: Route): ReturnType<typeof Compile> {
  const known = compiled.get(answer) ?? Compile(closeObjects(answer));
  compiled.set(answer, known);
  return known;
}

/** Half of what `fetch` takes, which is as much as some calls do. */
const http = new Agent({ keepAliveTimeout: 1_000 });

function toHeaders(given: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(given)) {
    for (const value of [values ?? []].flat()) headers.append(name, value);
  }
  return headers;
}

function toAnswerBody(headers: Headers, text: string): unknown {
  if (headers.get('content-type')?.startsWith('text/csv')) return text;
  return text === '' ? undefined : JSON.parse(text);
}

const errorAnswer = Compile(
  closeObjects(
    Type.Object({
      success: Type.Literal(false),
      error: Type.Object({
        code: Type.String(),
        reason: Type.Union([Type.String(), Type.Null()]),
        message: Type.String({ minLength: 1 }),
        requestId: Type.String({ pattern: '^req_[0-9a-z]{26}$' }),
        details: Type.Union([
          Type.Array(Type.Object({ path: Type.String(), issue: Type.String() })),
          Type.Null(),
        ]),
      }),
    }),
  ),
);

function assertDeclared(
  what: string,
  answer: Answer,
  schema: ReturnType<typeof Compile> | undefined,
): void {
  if (!schema || schema.Check(answer.body)) return;
  const faults = schema
    .Errors(answer.body)
    .map((fault) => `${fault.instancePath} ${fault.message}`);
  throw new Error(
    `${what} answered ${answer.status} with what it does not declare: ${faults.join('; ')}\n${JSON.stringify(answer.body)}`,
  );
}

/** Whoever branches on reasons must find them with the operation. Faults of ours have none. */
function assertRefusal(
  what: string,
  { status, body }: Answer,
  refusals: readonly DescribedRefusal[],
): void {
  const { code, reason } = body.error;
  if (code === 'INTERNAL_ERROR') return;
  if (refusals.some((one) => one.code === code && one.reason === reason)) return;
  throw new Error(`${what} answered ${status} with ${code} ${reason}, which it does not declare.`);
}

const eventData = new Map(
  Object.entries(EVENT_DATA).map(([type, schema]) => [type, Compile(closeObjects(schema))]),
);

/** What the feed shows of an event is what its type says, in the shape of the newest version. */
function assertEventData({ status, body }: Answer): void {
  for (const { type, apiVersion, data } of body.events) {
    if (apiVersion !== API_VERSIONS.newest) continue;
    assertDeclared(
      `the event ${type}`,
      { status, body: data, headers: new Headers() },
      eventData.get(type),
    );
  }
}

/** A field that an answer has and its schema lacks is a fault too. */
export function closeObjects(schema: TSchema): TSchema {
  const close = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(close);
    if (value === null || typeof value !== 'object') return value;
    const copy = Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, close(member)]),
    );
    return copy.type === 'object' && copy.properties && copy.patternProperties === undefined
      ? { ...copy, additionalProperties: false }
      : copy;
  };
  return close(schema) as TSchema;
}

export function credential(as: CallOptions['as']): Record<string, string> {
  if (as === undefined || as === 'nobody') return {};
  return as === 'operator' ? { authorization: `Bearer ${ADMIN_TOKEN}` } : { 'x-api-key': as };
}

/** Text is sent as it is, so that a test can send what is not JSON. */
function toBody(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}
