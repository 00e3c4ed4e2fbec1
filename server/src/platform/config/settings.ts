export const ROLES = ['all', 'api', 'worker'] as const;
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
    PORT: whole(8080, 0, 65_535, 'Where to listen; 0 picks a free port'),
    HOST: text('127.0.0.1', 'The address to listen on; 0.0.0.0 for all'),
    BASE_URL: text(
      null,
      'Where others reach the service: stands in links and mails. Set it when that is not this machine',
      '`http://HOST:PORT`',
    ),
    TRUST_PROXY: text(
      null,
      'The proxies whose `X-Forwarded-For` is believed: their addresses and networks, such as `10.0.0.0/8`; or how many there are, only where nobody reaches the port but through them',
      '`false`',
    ),
  },
  Storage: {
    DATA_DIR: text('./data', 'Folder of the embedded database, the admin token and the root key'),
    DATABASE_URL: secret('`postgres://…` runs on that PostgreSQL (15 or later) instead'),
    DATABASE_POOL_SIZE: whole(10, 1, 200, 'Connections for writing, and as many for reading'),
  },
  Secrets: {
    ADMIN_TOKEN: secret(
      "The operator's token, 32 characters or more. Needed with `DATABASE_URL`",
      'made at first start',
    ),
    ROOT_KEY: secret(
      '32 bytes in base64: encrypts the secrets that the database keeps. Needed with `DATABASE_URL`, and the same on every process',
      'made at first start',
    ),
  },
  Processes: {
    ROLE: word(
      ROLES,
      'all',
      '`api` serves only, `worker` works in the background only, `all` does both',
    ),
    DRAIN_SECONDS: whole(
      0,
      0,
      300,
      'Behind a load balancer: how long to go on after SIGTERM before refusing connections, and at most as long again until the open ones are closed',
    ),
    LOG_LEVEL: word(LOG_LEVELS, 'info', 'From which weight on something is logged'),
    // A whole batch of facts must fit in.
    PROJECT_QUEUE_MAX: whole(
      1_000,
      500,
      100_000,
      'Writes that may wait for one project in a process before 503',
    ),
    STREAMS_MAX: whole(
      1_000,
      0,
      100_000,
      'Streams of feeds that may be open in a process before 503',
    ),
    PROJECT_STREAMS_MAX: whole(50, 0, 100_000, 'Of these, so many of one project'),
  },
  'Rate limits': {
    RATE_LIMIT_PER_SECOND: whole(
      null,
      1,
      MANY,
      'Calls per second for each workspace and environment; none unless set',
    ),
    FAILED_AUTH_PER_MINUTE: whole(20, 1, MANY, 'Failed authentications per address before 429'),
    APPLICATIONS_PER_MINUTE: whole(10, 1, MANY, 'Partner applications per address before 429'),
    CLICKS_PER_MINUTE: whole(60, 1, MANY, 'Calls of the landing script per address before 429'),
    WIDGET_CALLS_PER_MINUTE: whole(60, 1, MANY, 'Calls of the widget per participant before 429'),
    LINK_VISITS_PER_MINUTE: whole(
      100,
      1,
      MANY,
      'Visits of referral links that are counted per address; more are still led on',
    ),
    SIGN_INS_PER_MINUTE: whole(
      20,
      1,
      MANY,
      'Failed sign-ins to the console per address before 429',
    ),
  },
  Console: {
    CONSOLE_TOTP: word(
      ['required', 'optional'],
      'required',
      '`optional` lets owners, admins and finance in without a second factor: for trials on your own machine only',
    ),
    OIDC_ISSUER: text(
      null,
      'A provider of OpenID Connect that people may sign in to the console at; with the next two',
    ),
    OIDC_CLIENT_ID: text(null, 'What the service is called there'),
    OIDC_CLIENT_SECRET: secret('and its secret'),
    OIDC_NAME: text('Single sign-on', 'What the button says'),
  },
  'Webhooks and mail': {
    WEBHOOK_ALLOWED_CIDRS: text(
      null,
      'Networks that webhooks may reach though they are not public, and by http, such as `10.0.0.0/8`',
    ),
    SMTP_URL: secret(
      '`smtp://…` sends the mails of partner applications, the links to the partner’s page, invitations and new passwords; without it the operator passes the former on',
    ),
    MAIL_FROM: text(null, 'The sender of those mails; needed with `SMTP_URL`'),
  },
  Traces: {
    OTEL_EXPORTER_OTLP_ENDPOINT: text(
      null,
      'A collector of OpenTelemetry that traces are sent to, such as `http://collector:4318`; none unless set',
    ),
    OTEL_EXPORTER_OTLP_HEADERS: secret('Headers for it: `name=value`, separated by commas'),
    OTEL_SERVICE_NAME: text('goodword', 'What the service is called there'),
    OTEL_TRACES_SAMPLER_ARG: text(
      '1',
      'The part of traces that is told, from 0 to 1; callers who say in `traceparent` whether they want it decide for themselves',
    ),
  },
  Retention: {
    AUDIT_RETENTION_DAYS: whole(730, 30, DAYS_MAX, 'How long the audit log is kept'),
    // Longer than a delivery is retried, so that its history is complete until it ends.
    ATTEMPT_RETENTION_DAYS: whole(
      30,
      4,
      DAYS_MAX,
      'How long it is remembered what was sent to webhook endpoints and what they answered',
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
