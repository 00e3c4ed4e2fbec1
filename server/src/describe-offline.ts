import { collectRoutes } from './app.ts';
import { createDatabase } from './db/database.ts';
import { API_VERSIONS } from './feed/api-versions.ts';
import { createFeedHints } from './feed/hints.ts';
import { createProjectWriter } from './feed/writer.ts';
import { describeApi } from './http/openapi.ts';
import type { Route } from './http/route.ts';
import { PROVIDER_HOSTS } from './integrations/provider-hosts.ts';
import { systemClock } from './kit/clock.ts';
import { makeNewId } from './kit/ids.ts';
import { createKeyring, ROOT_KEY_BYTES } from './kit/keyring.ts';
import { SignInLimits } from './users/sign-in-limits.ts';
import { UserCache } from './users/user-cache.ts';
import { VERSION } from './version.ts';
import { WEBHOOKS } from './views/webhook-events.ts';
import { queueDeliveries } from './webhooks/queue-deliveries.ts';
import { KeyCache } from './workspaces/identities.ts';

/** The text of openapi.json. */
export function describeOffline(): string {
  return `${JSON.stringify(describeApi(collectOfflineRoutes(), VERSION, WEBHOOKS), null, 2)}\n`;
}

/** The routes without a database behind them: good for describing, not for calling. */
export function collectOfflineRoutes(): Route[] {
  const refuse = () => {
    throw new Error('There is neither a database nor a network here.');
  };
  const database = createDatabase({
    kind: 'embedded',
    query: refuse,
    begin: refuse,
    close: refuse,
  });
  const clock = systemClock;
  const newId = makeNewId(clock.nowMs);
  return collectRoutes({
    settings: {
      baseUrl: '',
      adminToken: '',
      trustProxy: false,
      rateLimitPerSecond: null,
      failedAuthenticationsPerMinute: 1,
      applicationsPerMinute: 1,
      clicksPerMinute: 1,
      widgetCallsPerMinute: 1,
      linkVisitsPerMinute: 1,
      signInsPerMinute: 1,
      requiresTotp: true,
      oidc: null,
      streamsMax: 1,
      projectStreamsMax: 1,
      servesApi: true,
    },
    database,
    writer: createProjectWriter({ database, clock, newId, queueMax: 1, fanOut: queueDeliveries }),
    clock,
    newId,
    keyring: createKeyring(Buffer.alloc(ROOT_KEY_BYTES)),
    cache: new KeyCache(clock),
    userCache: new UserCache(clock),
    signIn: {
      origin: '',
      limits: new SignInLimits(clock, 1),
      findUser: refuse,
      ask: refuse,
      begin: refuse,
      assertPossible: refuse,
    },
    apiVersions: API_VERSIONS,
    reach: { rules: { judge: refuse }, lookup: refuse },
    sender: { send: refuse, close: refuse },
    hints: createFeedHints(database),
    payeeOnboarding: null,
    mailer: null,
    onMailDue: () => undefined,
    findDetails: refuse,
    findProvider: refuse,
    holdConnection: refuse,
    rewardProviders: [],
    providerHosts: PROVIDER_HOSTS,
    onFailure: () => undefined,
  });
}
