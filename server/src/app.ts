import type { FastifyInstance } from 'fastify';
import { attributionRoutes } from './attribution/routes.ts';
import type { ClickCounter } from './clicks/click-counter.ts';
import { registerLandingScript } from './clicks/landing-script.ts';
import { registerLinkPages } from './clicks/link-pages.ts';
import { clickRoutes } from './clicks/routes.ts';
import { registerConsoleFiles } from './console/console-files.ts';
import type { Database } from './db/database.ts';
import { exportRoutes } from './exports/routes.ts';
import type { ApiVersions } from './feed/api-versions.ts';
import type { FeedHints } from './feed/hints.ts';
import { feedRoutes } from './feed/routes.ts';
import type { ProjectWriter } from './feed/writer.ts';
import { findFillings } from './fillings.ts';
import { createServer, type ServerOptions, type TrustProxy } from './http/create-server.ts';
import { type HttpDeps, registerRoutes } from './http/register-route.ts';
import type { Route } from './http/route.ts';
import { type StreamLimits, Streams } from './http/streams.ts';
import { traceRequests } from './http/trace-requests.ts';
import { importRoutes } from './imports/routes.ts';
import { hintRoutes } from './integrations/hint-routes.ts';
import { payoutConnectionRoutes } from './integrations/payout-connection-routes.ts';
import type { ProviderHosts } from './integrations/provider-hosts.ts';
import { stripeRoutes } from './integrations/stripe/routes.ts';
import { registerOnboardingPages } from './integrations/stripe-connect/onboarding-pages.ts';
import type { Clock } from './kit/clock.ts';
import type { NewId } from './kit/ids.ts';
import type { Keyring } from './kit/keyring.ts';
import type { Tracer } from './kit/tracer.ts';
import type { Logger } from './log.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Metrics } from './metrics.ts';
import { onBilled } from './on-billed.ts';
import { registerOperations, registerReference } from './operations.ts';
import { participantRoutes } from './participants/routes.ts';
import { registerPartnerPage } from './partner-page/pages.ts';
import { registerPartnerPages } from './partners/pages.ts';
import type { PartnerDeps } from './partners/partner-deps.ts';
import { partnerRoutes } from './partners/routes.ts';
import type { PayeeOnboarding } from './payouts/details-deps.ts';
import { erasePartnerDetails } from './payouts/erase-details.ts';
import { type FindPayeeDetails, findPayableBy } from './payouts/payee-details.ts';
import { payoutRoutes } from './payouts/routes.ts';
import { privacyRoutes } from './privacy/routes.ts';
import { programRoutes } from './programs/routes.ts';
import { listSources, type Providers } from './providers.ts';
import { reconciliationRoutes } from './reconciliation/routes.ts';
import { findConnected } from './rewards/find-connected.ts';
import { rewardRoutes } from './rewards/routes.ts';
import { billingRoutes } from './tracking/billing-routes.ts';
import { eventRoutes } from './tracking/event-routes.ts';
import { hasEvent } from './tracking/has-event.ts';
import { trackingRoutes } from './tracking/routes.ts';
import { runDue } from './tracking/run-due.ts';
import { makeTracker } from './tracking/track-event.ts';
import { addOwner } from './users/add-owner.ts';
import { registerAuthPages } from './users/auth-pages.ts';
import { userRoutes } from './users/routes.ts';
import { createSignIn, type SignIn } from './users/sign-in.ts';
import { UserCache } from './users/user-cache.ts';
import type { SignInSettings, UserDeps } from './users/user-deps.ts';
import { attentionRoutes } from './views/attention-routes.ts';
import { figureRoutes } from './views/figure-routes.ts';
import { viewRoutes } from './views/routes.ts';
import { searchRoutes } from './views/search-routes.ts';
import { deliveryRoutes } from './webhooks/delivery-routes.ts';
import { endpointRoutes } from './webhooks/endpoint-routes.ts';
import type { Reach } from './webhooks/resolve-host.ts';
import type { Sender } from './webhooks/send-request.ts';
import { makeTokenCheck } from './widget/check-token.ts';
import { registerPanelFiles } from './widget/panel-files.ts';
import { widgetRoutes } from './widget/routes.ts';
import { clockRoutes } from './workspaces/clock-routes.ts';
import { findProjectRef } from './workspaces/find-project-ref.ts';
import { findWidgetProject } from './workspaces/find-widget-project.ts';
import { createIdentities, KeyCache } from './workspaces/identities.ts';
import { workspaceRoutes } from './workspaces/routes.ts';

export interface AppSettings extends StreamLimits, SignInSettings {
  readonly adminToken: string;
  readonly trustProxy: TrustProxy;
  readonly rateLimitPerSecond: number | null;
  readonly failedAuthenticationsPerMinute: number;
  readonly applicationsPerMinute: number;
  readonly clicksPerMinute: number;
  readonly widgetCallsPerMinute: number;
  readonly linkVisitsPerMinute: number;
  /** False for a process that only works: it still tells how it is doing. */
  readonly servesApi: boolean;
}

/** What the routes need to do their work. */
export interface RouteDeps extends Providers {
  readonly settings: AppSettings;
  readonly database: Database;
  readonly writer: ProjectWriter;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly cache: KeyCache;
  readonly userCache: UserCache;
  readonly signIn: SignIn;
  readonly apiVersions: ApiVersions;
  /** What webhooks may be sent to. */
  readonly reach: Reach;
  readonly sender: Sender;
  /** Heard of by whoever waits for new events. */
  readonly hints: FeedHints;
  /** Null while no provider takes payees. */
  readonly payeeOnboarding: PayeeOnboarding | null;
  /** Null without SMTP. */
  readonly mailer: Mailer | null;
  /** Told when a mail waits to be sent. */
  readonly onMailDue: () => void;
  /** Where people are paid. */
  readonly findDetails: FindPayeeDetails;
  /** Where the providers of payouts are. */
  readonly providerHosts: ProviderHosts;
  /** Told of faults of ours that an answer holds beside what went well. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** What the app makes for its routes itself. */
type MadeDeps = 'cache' | 'userCache' | 'signIn' | 'onFailure';

export interface AppDeps extends Omit<RouteDeps, MadeDeps> {
  /** Saved by a worker of this process. */
  readonly clickCounter: ClickCounter;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Undefined unless somebody collects traces. */
  readonly tracer?: Tracer | undefined;
  /** True once the process was told to stop: it is alive, but wants no new traffic. */
  readonly isDraining: () => boolean;
}

/** Every route of the API, in the order of the reference. */
export function collectRoutes(deps: RouteDeps): Route[] {
  const { database, writer, clock, newId, keyring, cache, apiVersions, hints, onFailure } = deps;
  const tracker = makeTracker({ writer, keyring, onFailure });
  const { baseUrl, clicksPerMinute } = deps.settings;
  return [
    ...workspaceRoutes({
      database,
      clock,
      newId,
      keyring,
      cache,
      addOwner,
      forgetUser: (userId) => deps.userCache.forgetUser(userId),
    }),
    ...userRoutes(toUserDeps(deps), deps.signIn),
    ...clockRoutes({
      writer,
      database,
      clock,
      runDue: (request, dueBy) => runDue({ database, writer, tracker, onFailure }, request, dueBy),
    }),
    ...programRoutes({
      writer,
      database,
      clock,
      findConnected: (projectId) => findConnected(deps.rewardProviders, projectId),
    }),
    ...participantRoutes({ writer, database, keyring, baseUrl, onBilled }),
    ...viewRoutes({ database, baseUrl }),
    ...searchRoutes({ database }),
    ...importRoutes({ writer, database, clock, keyring, onBilled }),
    ...exportRoutes({
      ...toPartnerDeps(deps),
      hasEvent: (projectId, eventId) => hasEvent(database.reads, projectId, eventId),
      findPayable: findPayableBy(deps.findDetails),
    }),
    ...figureRoutes({ database }),
    ...attentionRoutes({ reads: database.reads, clock }),
    ...privacyRoutes({ writer, database, clock, keyring }),
    ...partnerRoutes({ ...toPartnerDeps(deps), onFailure }),
    ...clickRoutes({ database, clock, newId, keyring, clicksPerMinute }),
    ...attributionRoutes({ writer, keyring }),
    ...rewardRoutes({
      writer,
      database,
      clock,
      hasEvent: (projectId, eventId) => hasEvent(database.reads, projectId, eventId),
      findPayable: findPayableBy(deps.findDetails),
    }),
    ...widgetRoutes({ ...deps, baseUrl }),
    ...payoutRoutes({
      writer,
      database,
      clock,
      newId,
      findDetails: deps.findDetails,
      findProvider: deps.findProvider,
      holdConnection: deps.holdConnection,
    }),
    ...payoutConnectionRoutes({
      database,
      clock,
      newId,
      keyring,
      baseUrl,
      hosts: deps.providerHosts,
    }),
    ...reconciliationRoutes(listSources(database.reads, deps)),
    ...hintRoutes({ database, writer, clock, newId, keyring, hosts: deps.providerHosts }),
    ...trackingRoutes({ writer, database }),
    ...eventRoutes({ tracker, writer, database, clock, newId, keyring, onFailure }),
    ...billingRoutes({ tracker, database }),
    ...stripeRoutes({ ...deps, baseUrl, onBilled }),
    ...deliveryRoutes({
      database,
      writer,
      clock,
      newId,
      onDeliveriesDue: (projectId) => hints.tell({ projectId, hasDeliveries: true }),
    }),
    ...feedRoutes({
      reads: database.reads,
      keyring,
      apiVersions,
      hints,
      ...findFillings(database.reads),
    }),
    ...endpointRoutes(deps),
  ];
}

type Observers = Pick<ServerOptions, 'onAnswer' | 'onFailure'>;

/** The whole HTTP side of the service, ready to listen or to be called by a test. */
export function buildApp(deps: AppDeps): FastifyInstance {
  const { settings, logger, metrics } = deps;
  const observers: Observers = {
    onAnswer: (answer) => {
      // How long a stream lasts says nothing of how fast the service is.
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
  if (settings.servesApi) registerApi(app, deps, observers);
  registerOperations(app, deps);
  return app;
}

function registerApi(app: FastifyInstance, deps: AppDeps, observers: Observers): void {
  const { settings, database, clock, keyring, logger, metrics } = deps;
  const cache = new KeyCache(clock);
  const { adminToken } = settings;
  const streams = new Streams(settings);
  metrics.watchOpenStreams(() => streams.count());
  // Before the server waits for its requests to end, which these never do by themselves.
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
    keyring,
    clock,
    rateLimitPerSecond: settings.rateLimitPerSecond,
    failedAuthenticationsPerMinute: settings.failedAuthenticationsPerMinute,
    widgetCallsPerMinute: settings.widgetCallsPerMinute,
    streams,
    ...observers,
  };
  const routes = collectRoutes({
    ...deps,
    cache,
    userCache,
    signIn,
    onFailure: (error, requestId) => logger.error({ requestId, err: error }, 'fact failed'),
  });
  registerRoutes(app, routes, httpDeps);
  registerAuthPages(app, userDeps, signIn);
  registerReference(app, routes, settings.baseUrl);
  const onFailure = (error: unknown, requestId: string) =>
    logger.error({ requestId, err: error }, 'page failed');
  registerPartnerPages(app, { ...toPartnerDeps(deps), onFailure });
  const findPayable = findPayableBy(deps.findDetails);
  registerPartnerPage(app, { ...toPartnerDeps(deps), findPayable, onFailure });
  registerLinkPages(app, {
    database,
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
  registerLandingScript(app);
  registerPanelFiles(app);
  registerConsoleFiles(app);
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
