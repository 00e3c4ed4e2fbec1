import { SignInLimits } from '../../accounts/users/sign-in/sign-in-limits.ts';
import { UserCache } from '../../accounts/users/user-cache.ts';
import { KeyCache } from '../../accounts/workspaces/api-keys/identities.ts';
import { collectRoutes } from '../../app.ts';
import { PROVIDER_HOSTS } from '../../outbound/integrations/provider-hosts.ts';
import { queueDeliveries } from '../../outbound/webhooks/queue/queue-deliveries.ts';
import { createDatabase } from '../../platform/db/database.ts';
import { API_VERSIONS } from '../../platform/feed/api-versions.ts';
import { createFeedHints } from '../../platform/feed/hints.ts';
import { createProjectWriter } from '../../platform/feed/writer/writer.ts';
import { describeApi } from '../../platform/http/routes/openapi.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { systemClock } from '../../platform/kit/clock.ts';
import { makeNewId } from '../../platform/kit/ids.ts';
import { createKeyring, ROOT_KEY_BYTES } from '../../platform/kit/keyring.ts';
import { VERSION } from '../../platform/kit/version.ts';
import { WEBHOOKS } from '../../surfaces/views/webhook-events.ts';

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
