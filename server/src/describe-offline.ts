import { collectRoutes } from './app.ts';
import { createDatabase } from './db/database.ts';
import { createProjectWriter } from './feed/writer.ts';
import { describeApi } from './http/openapi.ts';
import { systemClock } from './kit/clock.ts';
import { makeNewId } from './kit/ids.ts';
import { createKeyring, ROOT_KEY_BYTES } from './kit/keyring.ts';
import { VERSION } from './version.ts';
import { KeyCache } from './workspaces/identities.ts';

/** The text of openapi.json: routes can be described without a database behind them. */
export function describeOffline(): string {
  const refuse = () => {
    throw new Error('There is no database here.');
  };
  const database = createDatabase({
    kind: 'embedded',
    query: refuse,
    begin: refuse,
    close: refuse,
  });
  const clock = systemClock;
  const newId = makeNewId(clock.nowMs);
  const routes = collectRoutes({
    settings: {
      baseUrl: '',
      adminToken: '',
      trustProxy: false,
      rateLimitPerSecond: null,
      failedAuthenticationsPerMinute: 1,
      applicationsPerMinute: 1,
      servesApi: true,
    },
    database,
    writer: createProjectWriter({ database, clock, newId, queueMax: 1 }),
    clock,
    newId,
    keyring: createKeyring(Buffer.alloc(ROOT_KEY_BYTES)),
    cache: new KeyCache(clock),
    mailer: null,
    onMailDue: () => undefined,
  });
  return `${JSON.stringify(describeApi(routes, VERSION), null, 2)}\n`;
}
