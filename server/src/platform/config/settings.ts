export const ROLES = ['all', 'api', 'worker'] as const;
const LAYOUTS = ['as_is', 'distributed'] as const;
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** An integer within limits; a null default means that it is not set. */
interface WholeSetting {
  readonly kind: 'whole';
  readonly fallback: number | null;
  readonly min: number;
  readonly max: number;
  readonly about: string;
}

interface WordSetting<W extends string = string> {
  readonly kind: 'word';
  readonly words: readonly W[];
  readonly fallback: W;
  readonly about: string;
}

interface TextSetting<F extends string | null = string | null> {
  readonly kind: 'text';
  readonly fallback: F;
  /** Shown in place of a default that is not a fixed value. */
  readonly shownFallback: string | null;
  readonly about: string;
  readonly isSecret?: true;
}

type Setting = WholeSetting | WordSetting | TextSetting;

const whole = <F extends number | null>(fallback: F, min: number, max: number, about: string) => ({
  kind: 'whole' as const,
  fallback,
  min,
  max,
  about,
});
const word = <const W extends string>(
  words: readonly W[],
  fallback: NoInfer<W>,
  about: string,
) => ({
  kind: 'word' as const,
  words,
  fallback,
  about,
});
const text = <F extends string | null>(
  fallback: F,
  about: string,
  shownFallback: string | null = null,
) => ({ kind: 'text' as const, fallback, shownFallback, about });

/** A secret text: it may also be in a file, named by `…_FILE`. */
const secret = (about: string, shownFallback: string | null = null) => ({
  ...text(null, about, shownFallback),
  isSecret: true as const,
});

const MANY = 1_000_000;
const DAYS_MAX = 36_500;

/** Every setting, with its default, its possible values and its meaning. */
export const SETTINGS = {
  Address: {
    PORT: whole(8080, 0, 65_535, 'The port to listen on; 0 picks a free one'),
    HOST: text('127.0.0.1', 'The address to listen on; 0.0.0.0 for all addresses'),
    BASE_URL: text(
      null,
      'The public address of the service, used in links and mails. Set it if others reach the service from another machine',
      '`http://HOST:PORT`',
    ),
    TRUST_PROXY: text(
      null,
      'The proxies whose `X-Forwarded-For` is trusted: their addresses and networks, such as `10.0.0.0/8`. Or the number of proxies, if the port can only be reached through them',
      '`false`',
    ),
  },
  Storage: {
    DATA_DIR: text('./data', 'Folder of the embedded database, the admin token and the root key'),
    DATABASE_URL: secret(
      '`postgres://…`: use this PostgreSQL (15 or later), or a Citus coordinator, instead of the embedded database',
    ),
    DATABASE_POOL_SIZE: whole(
      10,
      1,
      200,
      'Number of connections for writing, and the same number for reading',
    ),
    DATABASE_LAYOUT: word(
      LAYOUTS,
      'as_is',
      '`distributed`: at its first start on an empty Citus coordinator, the service distributes its tables over the nodes. `as_is` leaves that to `npm run distribute`',
    ),
  },
  Secrets: {
    ADMIN_TOKEN: secret(
      'The operator’s token, 32 characters or more. Required with `DATABASE_URL`',
      'created at first start',
    ),
    ROOT_KEY: secret(
      '32 bytes in base64. Encrypts the secrets in the database. Required with `DATABASE_URL`; must be the same for every process',
      'created at first start',
    ),
  },
  Processes: {
    ROLE: word(
      ROLES,
      'all',
      '`api` only answers requests, `worker` only does background work, `all` does both',
    ),
    DRAIN_SECONDS: whole(
      0,
      0,
      300,
      'For use behind a load balancer: how long the process still accepts connections after SIGTERM. Open requests then get at most the same time again to finish',
    ),
    LOG_LEVEL: word(LOG_LEVELS, 'info', 'The lowest level that is logged'),
    // A whole batch of facts must fit in.
    PROJECT_QUEUE_MAX: whole(
      1_000,
      500,
      100_000,
      'Writes that may wait for one project in a process; more get a 503',
    ),
    STREAMS_MAX: whole(
      1_000,
      0,
      100_000,
      'Feed streams that may be open in a process; more get a 503',
    ),
    PROJECT_STREAMS_MAX: whole(
      50,
      0,
      100_000,
      'Feed streams that may be open for one project in a process; more get a 503',
    ),
  },
  'Rate limits': {
    RATE_LIMIT_PER_SECOND: whole(
      null,
      1,
      MANY,
      'Calls per second for each workspace and environment; no limit by default',
    ),
    FAILED_AUTH_PER_MINUTE: whole(20, 1, MANY, 'Failed authentications per IP address before 429'),
    APPLICATIONS_PER_MINUTE: whole(10, 1, MANY, 'Partner applications per IP address before 429'),
    CLICKS_PER_MINUTE: whole(60, 1, MANY, 'Calls of the landing script per IP address before 429'),
    WIDGET_CALLS_PER_MINUTE: whole(60, 1, MANY, 'Calls of the widget per participant before 429'),
    LINK_VISITS_PER_MINUTE: whole(
      100,
      1,
      MANY,
      'Visits of referral links that are counted per IP address; further visits are redirected but not counted',
    ),
    SIGN_INS_PER_MINUTE: whole(
      20,
      1,
      MANY,
      'Failed sign-ins to the console per IP address before 429',
    ),
  },
  Console: {
    CONSOLE_TOTP: word(
      ['required', 'optional'],
      'required',
      '`optional` lets owners, admins and finance sign in without a second factor. Only for trials on your own machine',
    ),
    OIDC_ISSUER: text(
      null,
      'An OpenID Connect provider for signing in to the console. Requires the next two settings',
    ),
    OIDC_CLIENT_ID: text(null, 'Client id of the service at the provider'),
    OIDC_CLIENT_SECRET: secret('Client secret of the service at the provider'),
    OIDC_NAME: text('Single sign-on', 'The label of the sign-in button'),
  },
  'Webhooks and mail': {
    WEBHOOK_ALLOWED_CIDRS: text(
      null,
      'Private networks that webhooks may reach, also over plain http, such as `10.0.0.0/8`',
    ),
    SMTP_URL: secret(
      '`smtp://…`: the server that sends mails for partner applications, links to the partner’s page, invitations, password resets, and what projects tell their participants and team. Without it, an operator passes the links of applications on',
    ),
    MAIL_FROM: text(null, 'The sender of these mails. Required with `SMTP_URL`'),
  },
  Traces: {
    OTEL_EXPORTER_OTLP_ENDPOINT: text(
      null,
      'The OpenTelemetry collector that receives traces, such as `http://collector:4318`. No traces are sent by default',
    ),
    OTEL_EXPORTER_OTLP_HEADERS: secret(
      'Headers for the collector: `name=value`, separated by commas',
    ),
    OTEL_SERVICE_NAME: text('goodword', 'The name of the service in traces'),
    OTEL_TRACES_SAMPLER_ARG: text(
      '1',
      'The share of traces that is sent, from 0 to 1. A caller’s sampling decision in `traceparent` takes precedence',
    ),
  },
  Retention: {
    AUDIT_RETENTION_DAYS: whole(730, 30, DAYS_MAX, 'How many days the audit log is kept'),
    // Longer than a delivery is retried, so that its history is complete until it ends.
    ATTEMPT_RETENTION_DAYS: whole(
      30,
      4,
      DAYS_MAX,
      'How many days webhook deliveries and the responses to them are kept',
    ),
  },
} as const;

type Groups = typeof SETTINGS;
type All = { [G in keyof Groups]: Groups[G] }[keyof Groups];
type Merged<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** All settings, without their groups. */
export const ALL_SETTINGS: Merged<All> = Object.assign({}, ...Object.values(SETTINGS));
export type AllSettings = Merged<All>;

/** The names of the settings of a kind. */
export type NameOf<K extends Setting['kind'], F = unknown> = {
  [N in keyof AllSettings]: AllSettings[N] extends { kind: K; fallback: F } ? N : never;
}[keyof AllSettings];

/** The names of settings that may be in a file. */
export type SecretName = {
  [N in keyof AllSettings]: AllSettings[N] extends { isSecret: true } ? N : never;
}[keyof AllSettings];
