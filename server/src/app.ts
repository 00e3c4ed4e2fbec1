import type { FastifyInstance } from 'fastify';
import { userRoutes } from './accounts/users/routes.ts';
import { registerAuthPages } from './accounts/users/sign-in/auth-pages.ts';
import { createSignIn, type SignIn } from './accounts/users/sign-in/sign-in.ts';
import { addOwner } from './accounts/users/team/members.ts';
import { type SignInSettings, UserCache, type UserDeps } from './accounts/users/user-deps.ts';
import { FilterCheck } from './accounts/users/views/view-lists.ts';
import { createIdentities, KeyCache } from './accounts/workspaces/api-keys/identities.ts';
import { clockRoutes } from './accounts/workspaces/clock-routes.ts';
import { findProjectRef } from './accounts/workspaces/queries.ts';
import { workspaceRoutes } from './accounts/workspaces/routes.ts';
import type { UsageLog } from './accounts/workspaces/usage/usage-log.ts';
import { findWidgetProject } from './accounts/workspaces/widget-secrets.ts';
import { attributionRoutes } from './domain/attribution/routes.ts';
import { backtestRoutes } from './domain/backtests/routes.ts';
import type { ClickCounter } from './domain/clicks/links/click-counter.ts';
import { registerLandingScript } from './domain/clicks/links/landing.ts';
import { registerLinkPages } from './domain/clicks/links/link-pages.ts';
import { clickRoutes } from './domain/clicks/routes.ts';
import { participantRoutes } from './domain/participants/routes.ts';
import { registerPartnerPages } from './domain/partners/applications/pages.ts';
import type { PartnerDeps } from './domain/partners/partner-deps.ts';
import { partnerRoutes } from './domain/partners/routes.ts';
import { programRoutes } from './domain/programs/routes.ts';
import { findConnected } from './domain/rewards/delivery/provider.ts';
import { rewardRoutes } from './domain/rewards/routes.ts';
import { makeRecordNetwork } from './domain/risk/networks/record-network.ts';
import { riskRoutes } from './domain/risk/routes.ts';
import { countDays } from './domain/tracking/batch/count-days.ts';
import { makeTracker } from './domain/tracking/batch/track-event.ts';
import { billingRoutes } from './domain/tracking/billing-routes.ts';
import { runDue } from './domain/tracking/due/settle-due.ts';
import { eventRoutes } from './domain/tracking/event-routes.ts';
import { makeFeedLookups } from './domain/tracking/queries.ts';
import { riskPreviewRoutes } from './domain/tracking/risk/preview-routes.ts';
import { trackingRoutes } from './domain/tracking/routes.ts';
import { restoreRoutes } from './outbound/after-restore/routes.ts';
import { hintRoutes } from './outbound/integrations/hints/hint-routes.ts';
import { payoutConnectionRoutes } from './outbound/integrations/payout-connections/payout-connection-routes.ts';
import type { ProviderHosts, Providers } from './outbound/integrations/providers.ts';
import { onBilled } from './outbound/integrations/stripe/parked/settle-parked.ts';
import { stripeRoutes } from './outbound/integrations/stripe/routes.ts';
import { registerOnboardingPages } from './outbound/integrations/stripe-connect/onboarding-pages.ts';
import { catchUpMails } from './outbound/mail/follow/catch-up.ts';
import { mailRoutes } from './outbound/mail/routes.ts';
import { registerUnsubscribePages } from './outbound/mail/unsubscribe/pages.ts';
import { listAccounts } from './outbound/payouts/details/account-queries.ts';
import type { PayeeOnboarding } from './outbound/payouts/details/details.ts';
import { type FindPayeeDetails, findPayableBy } from './outbound/payouts/details/payee-details.ts';
import { erasePartnerDetails } from './outbound/payouts/details/queries.ts';
import { payoutRoutes } from './outbound/payouts/routes.ts';
import { reconciliationRoutes } from './outbound/reconciliation/routes.ts';
import { listSources } from './outbound/reconciliation/sources.ts';
import { deliveryRoutes } from './outbound/webhooks/deliveries/delivery-routes.ts';
import { endpointRoutes } from './outbound/webhooks/endpoints/endpoint-routes.ts';
import type { Reach } from './outbound/webhooks/sender/resolve-host.ts';
import type { Sender } from './outbound/webhooks/sender/send-request.ts';
import type { Database } from './platform/db/database.ts';
import type { Queryable } from './platform/db/driver.ts';
import { shareReads } from './platform/db/share-reads.ts';
import type { ApiVersions } from './platform/feed/api-versions.ts';
import type { FeedHints } from './platform/feed/hints.ts';
import { feedRoutes } from './platform/feed/routes.ts';
import type { ProjectWriter } from './platform/feed/writer/writer.ts';
import { type HttpDeps, registerRoutes } from './platform/http/routes/register-route.ts';
import type { Route } from './platform/http/routes/route.ts';
import {
  createServer,
  type ServerOptions,
  type TrustProxy,
} from './platform/http/server/create-server.ts';
import { type StreamLimits, Streams } from './platform/http/server/streams.ts';
import { traceRequests } from './platform/http/server/trace-requests.ts';
import type { Clock } from './platform/kit/clock.ts';
import type { NewId } from './platform/kit/ids.ts';
import type { Keyring } from './platform/kit/keyring.ts';
import type { Tracer } from './platform/kit/tracer.ts';
import type { Mailer } from './platform/mail/mailer.ts';
import type { Logger } from './platform/telemetry/log.ts';
import type { Metrics } from './platform/telemetry/metrics.ts';
import { registerAgents } from './surfaces/agents/register-agents.ts';
import { registerConsoleFiles } from './surfaces/console-files/console-files.ts';
import { exportRoutes } from './surfaces/exports/routes.ts';
import { importRoutes } from './surfaces/imports/routes.ts';
import { registerOperations, registerReference } from './surfaces/operations/operations.ts';
import { registerPartnerPage } from './surfaces/partner-page/pages.ts';
import { privacyRoutes } from './surfaces/privacy/routes.ts';
import { figureRoutes } from './surfaces/views/figures/figure-routes.ts';
import { makeKnownIds } from './surfaces/views/known-ids.ts';
import { reviewRoutes } from './surfaces/views/reviews/review-routes.ts';
import { attentionRoutes, searchRoutes, viewRoutes } from './surfaces/views/routes.ts';
import { registerPanelFiles } from './surfaces/widget/panel-files.ts';
import { widgetRoutes } from './surfaces/widget/routes.ts';
import { makeTokenCheck } from './surfaces/widget/verify-token.ts';

export interface AppSettings extends StreamLimits, SignInSettings {
  readonly adminToken: string;
  readonly trustProxy: TrustProxy;
  readonly rateLimitPerSecond: number | null;
  readonly failedAuthenticationsPerMinute: number;
  readonly applicationsPerMinute: number;
  readonly clicksPerMinute: number;
  readonly widgetCallsPerMinute: number;
  readonly linkVisitsPerMinute: number;
  /** False for a process that only runs workers: it still serves health and metrics. */
  readonly servesApi: boolean;
}

interface RouteDeps extends Providers {
  readonly settings: AppSettings;
  readonly database: Database;
  /** For routes that many people call at once. */
  readonly sharedReads: Queryable;
  readonly writer: ProjectWriter;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  /** Saved by a worker of this process. */
  readonly usage: UsageLog;
  readonly cache: KeyCache;
  readonly userCache: UserCache;
  readonly signIn: SignIn;
  readonly apiVersions: ApiVersions;
  /** The addresses that webhooks may be sent to. */
  readonly reach: Reach;
  readonly sender: Sender;
  /** Notifies clients that wait for new events. */
  readonly hints: FeedHints;
  /** Null if no provider has payee accounts. */
  readonly payeeOnboarding: PayeeOnboarding | null;
  /** Null without SMTP. */
  readonly mailer: Mailer | null;
  /** Called when a mail is ready to be sent. */
  readonly onMailDue: () => void;
  /** Called when a back-test was queued. */
  readonly onBacktestQueued: () => void;
  /** Where people are paid. */
  readonly findDetails: FindPayeeDetails;
  /** Hosts of the payout providers. */
  readonly providerHosts: ProviderHosts;
  /** Called with internal errors that affected only a part of a response. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** Dependencies that the app creates for its routes itself. */
type MadeDeps = 'sharedReads' | 'cache' | 'userCache' | 'signIn' | 'onFailure';

export interface AppDeps extends Omit<RouteDeps, MadeDeps> {
  /** Saved by a worker of this process. */
  readonly clickCounter: ClickCounter;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Undefined if no traces are collected. */
  readonly tracer?: Tracer | undefined;
  /** True once the process was asked to stop: it is alive, but wants no new traffic. */
  readonly isDraining: () => boolean;
}

/** Every route of the API, in the order of the reference. */
function collectRoutes(deps: RouteDeps): Route[] {
  const { database, writer, clock, newId, keyring, cache, apiVersions, hints, onFailure } = deps;
  const tracker = makeTracker({ writer, keyring, listAccounts, onFailure });
  const recordNetwork = makeRecordNetwork({ database, clock, keyring });
  const onDeliveriesDue = (projectId: string) => hints.notify({ projectId, hasDeliveries: true });
  const { baseUrl, clicksPerMinute } = deps.settings;
  const findQuery = (path: string) =>
    routes.find((route) => route.method === 'GET' && route.path === path)?.query;
  const routes: Route[] = [
    ...workspaceRoutes({
      database,
      clock,
      newId,
      keyring,
      cache,
      addOwner,
      forgetUser: (userId) => deps.userCache.forgetUser(userId),
    }),
    ...userRoutes(
      {
        ...toUserDeps(deps),
        filterCheck: new FilterCheck(findQuery),
        knownIds: makeKnownIds(database.reads),
      },
      deps.signIn,
    ),
    ...clockRoutes({
      writer,
      database,
      clock,
      runDue: (request, dueBy) => runDue({ database, writer, tracker, onFailure }, request, dueBy),
      async onMove({ projectId, requestId }) {
        if (deps.mailer === null) return;
        const report = (error: unknown) => onFailure(error, requestId);
        await catchUpMails({ ...deps, baseUrl, onFailure: report }, projectId);
        deps.onMailDue();
      },
    }),
    ...programRoutes({
      writer,
      database,
      clock,
      baseUrl,
      findConnected: (projectId) => findConnected(deps.rewardProviders, projectId),
      countDays,
    }),
    ...participantRoutes({ writer, database, keyring, baseUrl, onBilled }),
    ...viewRoutes({ database, baseUrl }),
    ...searchRoutes({ database }),
    ...importRoutes({ writer, database, clock, keyring, listAccounts, onBilled }),
    ...exportRoutes({
      ...toPartnerDeps(deps),
      findPayable: findPayableBy(deps.findDetails),
    }),
    ...figureRoutes({ database }),
    ...reviewRoutes({ writer, database }),
    ...attentionRoutes({ reads: database.reads, clock, usage: deps.usage }),
    ...privacyRoutes({ writer, database, clock, keyring }),
    ...partnerRoutes({ ...toPartnerDeps(deps), onFailure }),
    ...clickRoutes({
      database,
      reads: deps.sharedReads,
      clock,
      newId,
      keyring,
      usage: deps.usage,
      clicksPerMinute,
    }),
    ...attributionRoutes({ writer, keyring }),
    ...riskRoutes({ writer, database, clock, keyring }),
    ...backtestRoutes({ writer, database, clock, onQueued: deps.onBacktestQueued }),
    ...rewardRoutes({
      writer,
      database,
      clock,
      findPayable: findPayableBy(deps.findDetails),
    }),
    ...widgetRoutes({ ...deps, baseUrl, recordNetwork }),
    ...payoutRoutes({
      writer,
      database,
      clock,
      newId,
      findDetails: deps.findDetails,
      findProvider: deps.findProvider,
      holdConnection: deps.holdConnection,
    }),
    ...mailRoutes({ ...deps, baseUrl, findPayable: findPayableBy(deps.findDetails) }),
    ...payoutConnectionRoutes({
      database,
      clock,
      newId,
      keyring,
      baseUrl,
      hosts: deps.providerHosts,
    }),
    ...reconciliationRoutes(listSources(database.reads, deps)),
    ...restoreRoutes(deps),
    ...hintRoutes({ database, writer, clock, newId, keyring, hosts: deps.providerHosts }),
    ...trackingRoutes({ writer, database }),
    ...riskPreviewRoutes({ database }),
    ...eventRoutes({ tracker, writer, database, clock, newId, keyring, listAccounts, onFailure }),
    ...billingRoutes({ tracker, database }),
    ...stripeRoutes({ ...deps, baseUrl, onBilled }),
    ...deliveryRoutes({
      database,
      writer,
      clock,
      newId,
      onDeliveriesDue,
    }),
    ...feedRoutes({
      reads: database.reads,
      keyring,
      apiVersions,
      hints,
      ...makeFeedLookups(database.reads),
    }),
    ...endpointRoutes({ ...deps, onDeliveriesDue }),
  ];
  return routes;
}

type Observers = Pick<ServerOptions, 'onAnswer' | 'onFailure'>;

/** The whole HTTP side of the service, ready to listen, with the routes of the API. */
export function buildApp(deps: AppDeps): { app: FastifyInstance; routes: readonly Route[] } {
  const { settings, logger, metrics } = deps;
  const observers: Observers = {
    onAnswer: (answer) => {
      // The duration of a stream says nothing about how fast the service is.
      if (answer.events === undefined) metrics.observeRequest(answer);
      logger.info({ ...answer, ms: Math.round(answer.ms * 10) / 10 }, 'request');
    },
    onFailure: (refusal, requestId) => {
      if (refusal.code === 'INTERNAL_ERROR') {
        logger.error({ requestId, err: refusal.cause }, 'request failed');
      } else {
        logger.warn({ requestId, err: refusal }, 'request refused');
      }
    },
  };
  const { trustProxy, baseUrl } = settings;
  const app = createServer({ newId: deps.newId, trustProxy, baseUrl, ...observers });
  if (deps.tracer) traceRequests(app, deps.tracer);
  const routes = settings.servesApi ? registerApi(app, deps, observers) : [];
  registerOperations(app, deps);
  return { app, routes };
}

function registerApi(app: FastifyInstance, deps: AppDeps, observers: Observers): Route[] {
  const { settings, database, clock, keyring, logger, metrics } = deps;
  const cache = new KeyCache(clock);
  const { adminToken } = settings;
  const streams = new Streams(settings);
  metrics.watchOpenStreams(() => streams.count());
  // Before the server waits for open requests: streams never end by themselves.
  app.addHook('preClose', () => streams.stop());
  const userCache = new UserCache(clock);
  const userDeps: UserDeps = {
    ...deps,
    userCache,
    onFailure: (error, requestId) => logger.error({ requestId, err: error }, 'sign-in failed'),
  };
  const signIn = createSignIn(userDeps);
  const { findUser, origin } = signIn;
  const identities = createIdentities({
    reads: database.reads,
    clock,
    cache,
    usage: deps.usage,
    adminToken,
    findUser,
    origin,
  });
  const httpDeps: HttpDeps = {
    identities,
    checkWidgetToken: makeTokenCheck({
      findProject: (projectId) => findWidgetProject({ database, keyring, cache }, projectId),
      clock,
    }),
    onKeyUse: (projectId) => deps.usage.noteFirst(projectId, 'api_key'),
    knownIds: makeKnownIds(database.reads),
    keyring,
    clock,
    rateLimitPerSecond: settings.rateLimitPerSecond,
    failedAuthenticationsPerMinute: settings.failedAuthenticationsPerMinute,
    widgetCallsPerMinute: settings.widgetCallsPerMinute,
    streams,
    ...observers,
  };
  const sharedReads = shareReads(database);
  const routes = collectRoutes({
    ...deps,
    sharedReads,
    cache,
    userCache,
    signIn,
    onFailure: (error, requestId) => logger.error({ requestId, err: error }, 'fact failed'),
  });
  const limits = registerRoutes(app, routes, httpDeps);
  registerAuthPages(app, userDeps, signIn);
  const listPages = registerReference(app, routes, settings.baseUrl);
  registerAgents(app, {
    reads: database.reads,
    routes,
    identities,
    limits,
    keyring,
    clock,
    listPages,
    onFailure: (error, requestId) => logger.error({ requestId, err: error }, 'agent call failed'),
  });
  const onFailure = (error: unknown, requestId: string) =>
    logger.error({ requestId, err: error }, 'page failed');
  registerPartnerPages(app, { ...toPartnerDeps(deps), onFailure });
  const findPayable = findPayableBy(deps.findDetails);
  registerPartnerPage(app, {
    ...toPartnerDeps(deps),
    findPayable,
    recordNetwork: makeRecordNetwork(deps),
    onFailure,
  });
  registerLinkPages(app, {
    reads: sharedReads,
    clock,
    keyring,
    identities,
    counter: deps.clickCounter,
    linkVisitsPerMinute: settings.linkVisitsPerMinute,
    onFailure,
  });
  registerOnboardingPages(app, {
    ...deps,
    findProject: (projectId) => findProjectRef(database.reads, projectId),
    onFailure,
  });
  registerUnsubscribePages(app, { database, clock, keyring, onFailure });
  registerLandingScript(app);
  registerPanelFiles(app);
  registerConsoleFiles(app);
  return routes;
}

function toUserDeps(deps: RouteDeps): UserDeps {
  const { database, clock, newId, keyring, userCache, settings, mailer, onFailure } = deps;
  return { database, clock, newId, keyring, userCache, settings, mailer, onFailure };
}

function toPartnerDeps(deps: Omit<RouteDeps, MadeDeps>): PartnerDeps {
  const { writer, database, clock, newId, keyring, mailer, onMailDue } = deps;
  const { baseUrl, applicationsPerMinute } = deps.settings;
  return {
    writer,
    database,
    clock,
    newId,
    keyring,
    mailer,
    onMailDue,
    eraseBesides: erasePartnerDetails,
    baseUrl,
    applicationsPerMinute,
  };
}
