import type { PGlite } from '@electric-sql/pglite';
import { buildService, type Service } from '../../../src/build-service.ts';
import { openProviders, PROVIDER_HOSTS } from '../../../src/outbound/integrations/providers.ts';
import { StripeOnboarding } from '../../../src/outbound/integrations/stripe-connect/onboarding.ts';
import { createAddressRules } from '../../../src/outbound/webhooks/sender/address-rules.ts';
import type { Config } from '../../../src/platform/config/config.ts';
import { createDatabase } from '../../../src/platform/db/database.ts';
import { openDatabaseClock } from '../../../src/platform/db/database-clock.ts';
import type { Session } from '../../../src/platform/db/driver.ts';
import { EmbeddedDriver } from '../../../src/platform/db/embedded/embedded-driver.ts';
import type { Mutex } from '../../../src/platform/db/embedded/mutex.ts';
import { createKeyring } from '../../../src/platform/kit/keyring.ts';
import { createSmtpMailer } from '../../../src/platform/mail/smtp-mailer.ts';
import { createLogger } from '../../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../../src/platform/telemetry/metrics.ts';
import { startWorkers } from '../../../src/workers.ts';
import type { Owner, VirtualTime } from '../authority/virtual-time.ts';
import { type DatabaseFaults, noFaults, overFaultyLine } from '../outside/faulty-driver.ts';
import { SMTP_URL } from '../outside/mailbox.ts';
import type { Receivers } from '../outside/receivers.ts';

export interface Outside {
  readonly time: VirtualTime;
  readonly engine: PGlite;
  readonly mutex: Mutex;
  readonly receivers: Receivers;
  readonly hasMail: boolean;
  readonly hasStripe: boolean;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a simulation looks into answers of every shape
  readonly body: any;
  /** Where a redirect leads. */
  readonly location: string | null;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** JSON, or a text of the type that the headers name. */
  readonly body?: unknown;
  readonly key?: string;
  /** A token of the widget, or the operator's own. */
  readonly bearer?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For what has no id of its own. */
  readonly idempotencyKey?: string | undefined;
}

/** A caller cannot know whether the call was processed. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

const SENDER = 'Goodword <mail@refer.example.com>';
const ROOT_KEY = Buffer.alloc(32, 7);

/** The service in one process: starts, crashes at any await, freezes, and starts again. */
export class ServiceProcess {
  readonly name: string;
  readonly log: string[] = [];
  readonly #outside: Outside;
  #owner: Owner = { name: 'none', state: 'dead' };
  #service: Service | undefined;
  #faults: DatabaseFaults = noFaults();
  #open = new Set<Session>();
  /** Ends the calls that a crash leaves without an answer. */
  readonly #callers = new Set<(error: Error) => void>();
  /** Statements until it crashes. */
  #crashAfter: number | null = null;

  constructor(name: string, outside: Outside) {
    this.name = name;
    this.#outside = outside;
  }

  get faults(): DatabaseFaults {
    return this.#faults;
  }

  get isUp(): boolean {
    return this.#service !== undefined && this.#owner.state === 'running';
  }

  /** A frozen one is not: it wakes up. */
  get isDead(): boolean {
    return this.#owner.state === 'dead';
  }

  get isInTransaction(): boolean {
    return this.#open.size > 0;
  }

  /** For the checks of the world, which read as no user could. */
  get service(): Service {
    if (!this.#service) throw new Error(`${this.name} is not running.`);
    return this.#service;
  }

  async start(): Promise<void> {
    const { time } = this.#outside;
    const owner: Owner = { name: this.name, state: 'running' };
    this.#owner = owner;
    this.#faults = noFaults();
    this.#open = new Set();
    this.#crashAfter = null;
    await this.#orCrash(time.as(owner, () => this.#boot(owner)));
  }

  async #boot(owner: Owner): Promise<void> {
    const { time, engine, mutex, receivers, hasMail, hasStripe } = this.#outside;
    const shared = new EmbeddedDriver(engine, mutex, async () => undefined);
    const driver = overFaultyLine(
      shared,
      {
        time,
        faults: this.#faults,
        isDead: () => owner.state === 'dead',
        onStatement: () => {
          if (this.#crashAfter === null || owner !== this.#owner) return;
          this.#crashAfter -= 1;
          if (this.#crashAfter < 0) this.crash();
        },
      },
      this.#open,
    );
    const database = createDatabase(driver, { watchesNesting: false });
    const clock = { nowMs: () => time.nowMs };
    const keyring = createKeyring(ROOT_KEY);
    const mailer = hasMail ? createSmtpMailer({ smtpUrl: SMTP_URL, from: SENDER }) : null;
    const secrets = { reads: database.reads, keyring, clock };
    const service = buildService({
      settings: SETTINGS,
      database,
      clock,
      keyring,
      logger: createLogger('error', {
        write: (line: string) => {
          this.log.push(line);
        },
      }),
      metrics: createMetrics({ ofProcess: false }),
      tracer: undefined,
      mailer,
      sender: receivers.sender(),
      // Nothing is ever looked up: the sender is a model.
      reach: { rules: createAddressRules(['192.0.2.0/24']), lookup: async () => ['192.0.2.1'] },
      payeeOnboarding: new StripeOnboarding({ ...secrets, baseUrl: SETTINGS.baseUrl }),
      ...openProviders(secrets),
      // Without one, no worker looks for credits.
      ...(hasStripe ? {} : { rewardProviders: [] }),
      providerHosts: PROVIDER_HOSTS,
      isDraining: () => false,
    });
    await service.app.ready();
    const databaseClock = await openDatabaseClock(database.reads);
    startWorkers(WORKERS, { ...service, databaseClock });
    this.#service = service;
  }

  /** What it does not answer before it crashes is lost. */
  async call({ method, path, body, key, bearer, headers, idempotencyKey }: Call): Promise<Answer> {
    const { service } = this;
    const { time } = this.#outside;
    const request = {
      method,
      url: path,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined
        ? {}
        : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    };
    // It begins with its `then`. Begun later, it would be work of the world, which no freeze of the process stops.
    const work = time.as(this.#owner, () => service.app.inject(request).then((answer) => answer));
    const response = await this.#orCrash(work);
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    const { location = null } = response.headers;
    return {
      status: response.statusCode,
      body: isJson ? response.json() : response.body,
      location: location === null ? null : String(location),
    };
  }

  #orCrash<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#callers.add(reject);
      work.then(resolve, reject).finally(() => this.#callers.delete(reject));
    });
  }

  /** At its n-th next statement. */
  crashAt(statements: number): void {
    this.#crashAfter = statements;
  }

  /** Takes back a crash that has not happened yet. */
  keepUp(): void {
    this.#crashAfter = null;
  }

  crash(): void {
    const { time } = this.#outside;
    this.#owner.state = 'dead';
    time.dropTimersOf(this.#owner);
    this.#service = undefined;
    // The database notices that the connections are gone.
    for (const session of this.#open) void session.rollback();
    this.#open.clear();
    for (const reject of this.#callers) reject(new ConnectionLost(`${this.name} crashed.`));
    this.#callers.clear();
  }

  freeze(): void {
    if (this.#owner.state === 'running') this.#owner.state = 'frozen';
  }

  thaw(): void {
    if (this.#owner.state === 'frozen') this.#owner.state = 'running';
  }
}

const MANY = 1_000_000;
export const ADMIN_TOKEN = 'simulated-admin-token-0123456789abcdef';
const SETTINGS = {
  baseUrl: 'https://refer.example.com',
  adminToken: ADMIN_TOKEN,
  trustProxy: false,
  rateLimitPerSecond: null,
  failedAuthenticationsPerMinute: MANY,
  applicationsPerMinute: MANY,
  clicksPerMinute: MANY,
  widgetCallsPerMinute: MANY,
  linkVisitsPerMinute: MANY,
  signInsPerMinute: MANY,
  passwordCost: { memoryCost: 64, timeCost: 1 },
  requiresTotp: true,
  oidc: null,
  streamsMax: 1_000,
  projectStreamsMax: 50,
  servesApi: true,
  projectQueueMax: 1_000,
} as const;

const WORKERS = {
  role: 'all',
  auditRetentionDays: 730,
  attemptRetentionDays: 30,
} as unknown as Config;
