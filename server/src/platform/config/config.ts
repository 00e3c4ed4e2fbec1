import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';
import { ROOT_KEY_BYTES } from '../kit/keyring.ts';
import { isLoopback, parseUrl } from '../kit/parse-url.ts';
import type { TracingSettings } from '../telemetry/open-tracing.ts';
import {
  ALL_SETTINGS,
  type AllSettings,
  type LOG_LEVELS,
  type NameOf,
  type ROLES,
  type SecretName,
} from './settings.ts';

/** An external OpenID Connect provider for sign-in. */
export interface OidcSettings {
  /** Label of the sign-in button. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Config {
  readonly port: number;
  readonly host: string;
  /** Public address of the service, without a trailing slash. */
  readonly baseUrl: string | null;
  readonly dataDir: string;
  /** Null uses the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly databasePoolSize: number;
  /** Whether an empty store on Citus is distributed at the start. */
  readonly distributesDatabase: boolean;
  /** Null only with the embedded database: then it is generated and stored in `dataDir`. */
  readonly adminToken: string | null;
  readonly rootKey: Buffer | null;
  readonly webhookAllowedCidrs: readonly string[];
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly role: (typeof ROLES)[number];
  readonly drainSeconds: number;
  readonly trustProxy: false | number | string[];
  readonly rateLimitPerSecond: number | null;
  readonly failedAuthenticationsPerMinute: number;
  readonly applicationsPerMinute: number;
  readonly clicksPerMinute: number;
  readonly widgetCallsPerMinute: number;
  readonly linkVisitsPerMinute: number;
  readonly signInsPerMinute: number;
  readonly requiresTotp: boolean;
  readonly oidc: OidcSettings | null;
  readonly projectQueueMax: number;
  readonly streamsMax: number;
  readonly projectStreamsMax: number;
  readonly auditRetentionDays: number;
  readonly attemptRetentionDays: number;
  readonly smtpUrl: string | null;
  readonly mailFrom: string | null;
  /** Null disables tracing. */
  readonly tracing: TracingSettings | null;
}

type SettingName = keyof AllSettings;

export type Environment = Readonly<Record<string, string | undefined>>;

/** An error that prevents the start and that the operator can fix: printed as a sentence, without a stack. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}

/** Invalid settings; the message has a sentence for each. */
export class ConfigError extends StartError {
  override readonly name = 'ConfigError';
}

/** Reads and checks every setting. The only place that knows their names. */
export function readConfig(env: Environment): Config {
  const reader = new Reader(env);
  const databaseUrl = reader.url('DATABASE_URL', ['postgres:', 'postgresql:']);
  const smtpUrl = reader.url('SMTP_URL', ['smtp:', 'smtps:']);
  const config: Config = {
    port: reader.integer('PORT'),
    host: reader.textOr('HOST'),
    baseUrl: reader.baseUrl('BASE_URL'),
    dataDir: resolve(reader.textOr('DATA_DIR')),
    databaseUrl,
    databasePoolSize: reader.integer('DATABASE_POOL_SIZE'),
    distributesDatabase: reader.oneOf('DATABASE_LAYOUT') === 'distributed',
    adminToken: reader.adminToken('ADMIN_TOKEN', databaseUrl !== null),
    rootKey: reader.rootKey('ROOT_KEY', databaseUrl !== null),
    webhookAllowedCidrs: reader.cidrs('WEBHOOK_ALLOWED_CIDRS'),
    logLevel: reader.oneOf('LOG_LEVEL'),
    role: reader.oneOf('ROLE'),
    drainSeconds: reader.integer('DRAIN_SECONDS'),
    trustProxy: reader.trustProxy('TRUST_PROXY'),
    rateLimitPerSecond: reader.optionalInteger('RATE_LIMIT_PER_SECOND'),
    failedAuthenticationsPerMinute: reader.integer('FAILED_AUTH_PER_MINUTE'),
    applicationsPerMinute: reader.integer('APPLICATIONS_PER_MINUTE'),
    clicksPerMinute: reader.integer('CLICKS_PER_MINUTE'),
    widgetCallsPerMinute: reader.integer('WIDGET_CALLS_PER_MINUTE'),
    linkVisitsPerMinute: reader.integer('LINK_VISITS_PER_MINUTE'),
    signInsPerMinute: reader.integer('SIGN_INS_PER_MINUTE'),
    requiresTotp: reader.oneOf('CONSOLE_TOTP') === 'required',
    oidc: reader.together({
      issuer: reader.issuer('OIDC_ISSUER'),
      clientId: reader.text('OIDC_CLIENT_ID'),
      clientSecret: reader.secret('OIDC_CLIENT_SECRET'),
      name: reader.textOr('OIDC_NAME'),
    }),
    projectQueueMax: reader.integer('PROJECT_QUEUE_MAX'),
    streamsMax: reader.integer('STREAMS_MAX'),
    projectStreamsMax: reader.integer('PROJECT_STREAMS_MAX'),
    auditRetentionDays: reader.integer('AUDIT_RETENTION_DAYS'),
    attemptRetentionDays: reader.integer('ATTEMPT_RETENTION_DAYS'),
    smtpUrl,
    mailFrom: reader.text('MAIL_FROM'),
    // With the names of OpenTelemetry's own settings.
    tracing: toCollector({
      endpoint: reader.baseUrl('OTEL_EXPORTER_OTLP_ENDPOINT'),
      headers: reader.headers('OTEL_EXPORTER_OTLP_HEADERS'),
      serviceName: reader.textOr('OTEL_SERVICE_NAME'),
      ratio: reader.part('OTEL_TRACES_SAMPLER_ARG'),
    }),
  };
  if (config.distributesDatabase && databaseUrl === null) {
    reader.problem('DATABASE_LAYOUT', 'can be distributed only with DATABASE_URL.');
  }
  if (config.smtpUrl !== null && config.mailFrom === null) {
    reader.problem('MAIL_FROM', 'is required with SMTP_URL. It is the sender address of mails.');
  }
  if (!config.requiresTotp && config.baseUrl !== null && !isLoopback(config.baseUrl)) {
    reader.problem(
      'CONSOLE_TOTP',
      'can be optional only for trials on this machine, but BASE_URL is not an address of this machine.',
    );
  }
  if (config.role === 'worker' && config.databaseUrl === null) {
    reader.problem(
      'ROLE',
      'can be worker only with DATABASE_URL, because the embedded database serves one process only.',
    );
  }
  reader.finish();
  return config;
}

export type VerifyConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'rootKey'>;

/** Settings for verifying: the database, and the root key if providers are to be queried. */
export function readVerifyConfig(env: Environment): VerifyConfig {
  const reader = new Reader(env);
  const config = {
    dataDir: resolve(reader.textOr('DATA_DIR')),
    databaseUrl: reader.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    rootKey: reader.rootKey('ROOT_KEY', false),
  };
  reader.finish();
  return config;
}

class Reader {
  readonly #env: Environment;
  readonly #problems: string[] = [];

  constructor(env: Environment) {
    this.#env = env;
  }

  problem(name: string, sentence: string): void {
    this.#problems.push(`${name} ${sentence}`);
  }

  finish(): void {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems.join('\n'));
  }

  /** An empty setting counts as not set. */
  text(name: SettingName | `${SecretName}_FILE`): string | null {
    const value = this.#env[name]?.trim();
    return value ? value : null;
  }

  textOr(name: NameOf<'text', string>): string {
    return this.text(name) ?? ALL_SETTINGS[name].fallback;
  }

  /** From the setting, or from the file named by `…_FILE`, for systems where the environment is easily visible. */
  secret(name: SecretName): string | null {
    const text = this.text(name);
    const path = this.text(`${name}_FILE`);
    if (path === null) return text;
    if (text !== null) this.problem(name, `and ${name}_FILE are both set. Set only one of them.`);
    try {
      return readFileSync(path, 'utf8').trim() || null;
    } catch (error) {
      this.problem(`${name}_FILE`, `cannot be read (${(error as NodeJS.ErrnoException).code}).`);
      return null;
    }
  }

  /** Reports the problem, if any, of a secret that is not set. */
  #secretOr(name: SecretName, problem: string | false): string | null {
    const text = this.secret(name);
    if (text === null && problem !== false) this.problem(name, problem);
    return text;
  }

  optionalInteger(name: NameOf<'whole'>): number | null {
    const text = this.text(name);
    if (text === null) return null;
    const { min, max } = ALL_SETTINGS[name];
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    this.problem(name, `must be a whole number from ${min} to ${max}, not "${text}".`);
    return null;
  }

  integer(name: NameOf<'whole', number>): number {
    return this.optionalInteger(name) ?? ALL_SETTINGS[name].fallback;
  }

  oneOf<N extends NameOf<'word'>>(name: N): AllSettings[N]['words'][number] {
    const text = this.text(name);
    const { words, fallback } = ALL_SETTINGS[name];
    if (text === null) return fallback;
    const word = words.find((candidate) => candidate === text);
    if (word === undefined)
      this.problem(name, `must be one of ${words.join(', ')}, not "${text}".`);
    return word ?? fallback;
  }

  issuer(name: NameOf<'text'>): string | null {
    const text = this.text(name);
    if (text === null) return null;
    const isAddress = parseUrl(text) && (text.startsWith('https://') || isLoopback(text));
    if (!isAddress) this.problem(name, `must be an address that starts with https://.`);
    return text.replace(/\/+$/, '');
  }

  /** All three, or none. */
  together({
    issuer,
    clientId,
    clientSecret,
    name,
  }: { readonly [Name in keyof OidcSettings]: string | null }): OidcSettings | null {
    if (issuer !== null && clientId !== null && clientSecret !== null && name !== null) {
      return { issuer, clientId, clientSecret, name };
    }
    if (issuer !== null || clientId !== null || clientSecret !== null) {
      this.problem(
        'OIDC_ISSUER',
        'must be set together with OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
      );
    }
    return null;
  }

  /** Never repeats the value: it contains a password. */
  url(name: SecretName, protocols: readonly string[]): string | null {
    const text = this.secret(name);
    if (text === null) return null;
    const url = parseUrl(text);
    if (url && protocols.includes(url.protocol)) return text;
    this.problem(name, `must be an address that starts with ${protocols.join('// or ')}//.`);
    return null;
  }

  /** A number from 0 to 1. */
  part(name: NameOf<'text', string>): number {
    const text = this.textOr(name);
    if (!/^(0|1|0?\.\d+|1\.0+)$/.test(text)) {
      this.problem(name, `must be a number from 0 to 1, not "${text}".`);
    }
    return Number(text);
  }

  /** `name=value`, separated by commas. Never repeats a value: it may be a token. */
  headers(name: SecretName): Record<string, string> {
    const pairs = (this.secret(name) ?? '').split(',').filter((pair) => pair.trim() !== '');
    return Object.fromEntries(
      pairs.flatMap((pair) => {
        const [, key = '', value = ''] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
        if (key !== '' && isEncoded(value)) return [[key, decodeURIComponent(value)]];
        this.problem(name, 'must be headers such as name=value, separated by commas.');
        return [];
      }),
    );
  }

  baseUrl(name: NameOf<'text'>): string | null {
    const text = this.text(name);
    if (text === null) return null;
    const url = parseUrl(text);
    const isPlain = url && !url.search && !url.hash && !url.username && !url.password;
    if (isPlain && (url.protocol === 'https:' || url.protocol === 'http:')) {
      return text.replace(/\/+$/, '');
    }
    this.problem(name, `must be an address such as https://refer.example.com, not "${text}".`);
    return null;
  }

  adminToken(name: SecretName, required: boolean): string | null {
    const text = this.#secretOr(
      name,
      required && 'is required with DATABASE_URL. Create one with: openssl rand -hex 32',
    );
    if (text !== null && (text.length < 32 || /\s/.test(text))) {
      this.problem(name, 'must have at least 32 characters and no white space.');
    }
    return text;
  }

  rootKey(name: SecretName, required: boolean): Buffer | null {
    const text = this.#secretOr(
      name,
      required &&
        'is required with DATABASE_URL. It encrypts the secrets in the database. Create one with: openssl rand -base64 32',
    );
    if (text === null) return null;
    const key = Buffer.from(text, 'base64');
    if (key.length === ROOT_KEY_BYTES && key.toString('base64') === text) return key;
    this.problem(
      name,
      `must be ${ROOT_KEY_BYTES} bytes in base64, for example from: openssl rand -base64 32`,
    );
    return null;
  }

  cidrs(name: NameOf<'text'>): string[] {
    const entries = this.#list(name);
    for (const entry of entries) {
      if (!isCidr(entry))
        this.problem(name, `has "${entry}", which is not a network such as 10.0.0.0/8.`);
    }
    return entries;
  }

  trustProxy(name: NameOf<'text'>): false | number | string[] {
    const text = this.text(name);
    if (text === null || text === 'false') return false;
    if (text === 'true') {
      this.problem(
        name,
        'must not be true, because callers could then fake their address. Set the addresses or networks of your proxies, such as 10.0.0.0/8, or their number, such as 1.',
      );
      return false;
    }
    if (/^\d{1,3}$/.test(text)) return Number(text);
    const entries = this.#list(name);
    for (const entry of entries) {
      if (isIP(entry) === 0 && !isCidr(entry)) {
        this.problem(
          name,
          `must be false, a number of proxies, or addresses and networks, not "${entry}".`,
        );
      }
    }
    return entries;
  }

  #list(name: NameOf<'text'>): string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
  }
}

/** Null without a collector. */
function toCollector(
  settings: Omit<TracingSettings, 'endpoint'> & { readonly endpoint: string | null },
): TracingSettings | null {
  const { endpoint } = settings;
  return endpoint === null ? null : { ...settings, endpoint };
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  try {
    new BlockList().addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
}
