import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { ALL_SETTINGS } from './settings.ts';

const KEY = Buffer.alloc(32, 1).toString('base64');
const TOKEN = 'a'.repeat(32);
const external = { DATABASE_URL: 'postgres://u:hush@db/x', ADMIN_TOKEN: TOKEN, ROOT_KEY: KEY };

describe('settings', () => {
  test('nothing set is the embedded database on 127.0.0.1:8080', () => {
    expect(readConfig({})).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      baseUrl: null,
      databaseUrl: null,
      adminToken: null,
      rootKey: null,
      webhookAllowedCidrs: [],
      logLevel: 'info',
      role: 'all',
      drainSeconds: 0,
      trustProxy: false,
      rateLimitPerSecond: null,
    });
    expect(readConfig({}).dataDir).toMatch(/\/data$/);
  });

  test('an empty setting is one that is not set', () => {
    expect(readConfig({ PORT: '', BASE_URL: '  ' })).toEqual(readConfig({}));
  });

  test('traces are off unless there is somebody to collect them', () => {
    expect(readConfig({ OTEL_SERVICE_NAME: 'shop' }).tracing).toBeNull();
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318/';
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT }).tracing).toEqual({
      endpoint: 'http://collector:4318',
      headers: {},
      serviceName: 'goodword',
      ratio: 1,
    });
    const told = {
      OTEL_EXPORTER_OTLP_ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hush, x-team = a=b',
      OTEL_SERVICE_NAME: 'shop',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    };
    expect(readConfig(told).tracing).toMatchObject({
      headers: { authorization: 'Bearer hush', 'x-team': 'a=b' },
      serviceName: 'shop',
      ratio: 0.25,
    });
    const wrong = { OTEL_EXPORTER_OTLP_HEADERS: 'hush', OTEL_TRACES_SAMPLER_ARG: '1.5' };
    expect(() => readConfig({ ...told, ...wrong })).toThrow(
      'OTEL_EXPORTER_OTLP_HEADERS must be headers such as name=value, separated by commas.\nOTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "1.5".',
    );
  });

  test('a secret can be in a file, and then only there', () => {
    const folder = mkdtempSync(join(tmpdir(), 'goodword-config-'));
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const fromFiles = {
      DATABASE_URL_FILE: file('url', `${external.DATABASE_URL}\n`),
      ADMIN_TOKEN_FILE: file('token', `${TOKEN}\n`),
      ROOT_KEY_FILE: file('key', KEY),
    };
    expect(readConfig(fromFiles)).toEqual(readConfig(external));
    expect(() => readConfig({ ...fromFiles, ROOT_KEY: KEY })).toThrow(
      'ROOT_KEY and ROOT_KEY_FILE are both set. Set only one of them.',
    );
    expect(() => readConfig({ ...fromFiles, ADMIN_TOKEN_FILE: join(folder, 'none') })).toThrow(
      'ADMIN_TOKEN_FILE cannot be read (ENOENT).',
    );
    rmSync(folder, { recursive: true });
  });

  test('each is read', () => {
    const config = readConfig({
      ...external,
      PORT: '0',
      HOST: '::1',
      BASE_URL: 'https://refer.example.com/x/',
      WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/8, fd00::/8',
      LOG_LEVEL: 'debug',
      ROLE: 'worker',
      DRAIN_SECONDS: '10',
      TRUST_PROXY: '2',
      RATE_LIMIT_PER_SECOND: '50',
      ATTEMPT_RETENTION_DAYS: '4',
      SMTP_URL: 'smtp://mail.example.com:587',
      MAIL_FROM: 'Acme <refer@example.com>',
      OIDC_ISSUER: 'https://login.example.com/',
      OIDC_CLIENT_ID: 'goodword',
      OIDC_CLIENT_SECRET: 'hush',
    });
    expect(config).toMatchObject({
      port: 0,
      host: '::1',
      baseUrl: 'https://refer.example.com/x',
      databaseUrl: external.DATABASE_URL,
      adminToken: TOKEN,
      webhookAllowedCidrs: ['10.0.0.0/8', 'fd00::/8'],
      role: 'worker',
      drainSeconds: 10,
      trustProxy: 2,
      rateLimitPerSecond: 50,
      attemptRetentionDays: 4,
      requiresTotp: true,
      oidc: {
        issuer: 'https://login.example.com',
        clientId: 'goodword',
        clientSecret: 'hush',
        name: 'Single sign-on',
      },
    });
    const trial = { CONSOLE_TOTP: 'optional', BASE_URL: 'http://localhost:8080' };
    expect(readConfig(trial).requiresTotp).toBe(false);
    expect(config.rootKey).toEqual(Buffer.alloc(32, 1));
    expect(readConfig({ TRUST_PROXY: '1' }).trustProxy).toBe(1);
    expect(readConfig({ TRUST_PROXY: '10.0.0.1, 10.1.0.0/16' }).trustProxy).toEqual([
      '10.0.0.1',
      '10.1.0.0/16',
    ]);
  });

  test.each([
    [{ PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '70000' }, 'PORT must be'],
    [{ BASE_URL: 'example.com' }, 'BASE_URL must be an address such as'],
    [{ BASE_URL: 'https://example.com?x=1' }, 'BASE_URL must be'],
    [{ DATABASE_URL: 'mysql://u:hush@db/x' }, 'DATABASE_URL must be an address that starts with'],
    [{ DATABASE_URL: external.DATABASE_URL, ROOT_KEY: KEY }, 'ADMIN_TOKEN is required'],
    [{ DATABASE_URL: external.DATABASE_URL, ADMIN_TOKEN: TOKEN }, 'ROOT_KEY is required'],
    [{ ADMIN_TOKEN: 'short-hush' }, 'ADMIN_TOKEN must have at least 32 characters'],
    [{ ROOT_KEY: 'hush' }, 'ROOT_KEY must be 32 bytes in base64'],
    [{ WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/33' }, 'WEBHOOK_ALLOWED_CIDRS has "10.0.0.0/33"'],
    [{ WEBHOOK_ALLOWED_CIDRS: '10.0.0.1' }, 'WEBHOOK_ALLOWED_CIDRS has'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
    [{ ROLE: 'boss' }, 'ROLE must be one of all, api, worker'],
    [{ ROLE: 'worker' }, 'ROLE can be worker only with DATABASE_URL'],
    [{ DRAIN_SECONDS: '301' }, 'DRAIN_SECONDS must be a whole number from 0 to 300'],
    [{ TRUST_PROXY: 'maybe' }, 'TRUST_PROXY must be'],
    [
      { TRUST_PROXY: 'true' },
      'TRUST_PROXY must not be true, because callers could then fake their address',
    ],
    [{ SMTP_URL: 'smtp://x' }, 'MAIL_FROM is required'],
    [{ CONSOLE_TOTP: 'never' }, 'CONSOLE_TOTP must be one of required, optional'],
    [
      { CONSOLE_TOTP: 'optional', BASE_URL: 'https://refer.example.com' },
      'CONSOLE_TOTP can be optional only for trials on this machine',
    ],
    [
      { OIDC_ISSUER: 'https://login.example.com' },
      'OIDC_ISSUER must be set together with OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
    ],
    [{ OIDC_CLIENT_SECRET: 'hush' }, 'must be set together'],
    [
      { OIDC_ISSUER: 'http://login.example.com', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'hush' },
      'OIDC_ISSUER must be an address that starts with https://',
    ],
    [{ RATE_LIMIT_PER_SECOND: '0' }, 'RATE_LIMIT_PER_SECOND must be'],
  ])('%o is refused with a sentence that never repeats a secret', (env, sentence) => {
    const read = () => readConfig(env);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(sentence);
    expect(read).not.toThrow('hush');
  });

  test('all faults are told at once', () => {
    expect(() => readConfig({ PORT: 'x', ROLE: 'y' })).toThrow(/PORT[\s\S]*ROLE/);
  });
});

test('every setting of the table is read, and none besides', () => {
  const source = readFileSync(new URL('./config.ts', import.meta.url), 'utf8');
  const read = [...source.matchAll(/reader\.\w+\(\s*'([A-Z_]+)'/g)].map(
    ([, name]) => name as string,
  );
  expect([...new Set(read)].toSorted()).toEqual(Object.keys(ALL_SETTINGS).toSorted());
});
