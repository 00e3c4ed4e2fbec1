import { buildService } from '../../build-service.ts';
import { PROVIDER_HOSTS } from '../../outbound/integrations/providers.ts';
import { SETTINGS } from '../../platform/config/settings.ts';
import { createDatabase } from '../../platform/db/database.ts';
import { describeApi } from '../../platform/http/routes/openapi.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { systemClock } from '../../platform/kit/clock.ts';
import { createKeyring, ROOT_KEY_BYTES } from '../../platform/kit/keyring.ts';
import { VERSION } from '../../platform/kit/version.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import { createMetrics } from '../../platform/telemetry/metrics.ts';
import { listOperations } from '../../surfaces/docs/api/api-document.ts';
import { describeErrors } from '../../surfaces/docs/reference/describe-errors.ts';
import { describeEvents } from '../../surfaces/docs/reference/describe-events.ts';
import { describeLimits } from '../../surfaces/docs/reference/describe-limits.ts';
import { describePermissions } from '../../surfaces/docs/reference/describe-permissions.ts';
import { describeSettings } from '../../surfaces/docs/reference/describe-settings.ts';
import { WEBHOOKS } from '../../surfaces/views/webhook-events.ts';

/** The text of openapi.json. */
export function describeOffline(): string {
  return `${JSON.stringify(describeApi(collectOfflineRoutes(), VERSION, WEBHOOKS), null, 2)}\n`;
}

/** The routes without a database: they can be described but not called. */
export function collectOfflineRoutes(): readonly Route[] {
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
  const service = buildService({
    settings: {
      baseUrl: 'https://refer.example.com',
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
      projectQueueMax: 1,
    },
    database,
    clock,
    keyring: createKeyring(Buffer.alloc(ROOT_KEY_BYTES)),
    logger: createLogger('silent'),
    metrics: createMetrics(),
    mailer: null,
    reach: { rules: { judge: refuse }, lookup: refuse },
    findProvider: refuse,
    holdConnection: refuse,
    rewardProviders: [],
    providerHosts: PROVIDER_HOSTS,
    payeeOnboarding: null,
    isDraining: () => false,
  });
  return service.routes;
}

/** The pages of docs/reference/ by file name: generated from the code, and committed. */
export function describeReference(): Record<string, string> {
  const routes = collectOfflineRoutes();
  return {
    'events.md': describeEvents(),
    'errors.md': describeErrors(listOperations(JSON.parse(describeOffline()))),
    'limits.md': describeLimits(routes),
    'settings.md': describeSettings(SETTINGS),
    'permissions.md': describePermissions(routes),
  };
}
