import { KeyCache } from './accounts/workspaces/api-keys/identities.ts';
import { findProjectRef } from './accounts/workspaces/queries.ts';
import { startUsageWorker } from './accounts/workspaces/usage/worker.ts';
import type { Service } from './build-service.ts';
import { startBacktestWorker } from './domain/backtests/worker.ts';
import { startClickWorker } from './domain/clicks/worker.ts';
import {
  startPartnerMailWorker,
  startPartnerStatusWorker,
  startSignInMailWorker,
} from './domain/partners/worker.ts';
import { startRewardWorker } from './domain/rewards/delivery/worker.ts';
import { makeTracker } from './domain/tracking/batch/track-event.ts';
import { startTrackingWorker } from './domain/tracking/due/worker.ts';
import { makeFeedLookups } from './domain/tracking/queries.ts';
import { startReviewWorker } from './domain/tracking/reviews/worker.ts';
import { startRestoreWorker } from './outbound/after-restore/worker.ts';
import { onBilled } from './outbound/integrations/stripe/parked/settle-parked.ts';
import { startStripeWorker } from './outbound/integrations/stripe/worker.ts';
import { startMailWorker } from './outbound/mail/worker.ts';
import { listAccounts } from './outbound/payouts/details/account-queries.ts';
import { startPayoutWorker } from './outbound/payouts/worker.ts';
import { startDispatcher } from './outbound/webhooks/dispatch/dispatcher.ts';
import type { Config } from './platform/config/config.ts';
import type { DatabaseClock } from './platform/db/database-clock.ts';
import { startErasureWorker, startRetentionWorker } from './surfaces/privacy/worker.ts';

export interface Workers {
  stop(): Promise<void>;
}

/**
 * Starts this process's background work. With the role of serving only, that is saving the clicks
 * it counts and what it sees being used, which no other process can do.
 */
export function startWorkers(
  config: Config,
  deps: Service & { readonly databaseClock: DatabaseClock },
): Workers {
  const { mailer, clickCounter } = deps;
  const { baseUrl } = deps.settings;
  /** Reports a worker under its name in the log and the metrics. */
  const watch = (worker: string) => ({
    onRun: () => deps.metrics.observeRun(worker, deps.clock.nowMs()),
    onFailure: (error: unknown) => {
      deps.metrics.countFailure(worker);
      deps.logger.error({ worker, err: error }, 'background work failed');
    },
  });
  const clicks = startClickWorker({
    database: deps.database,
    counter: clickCounter,
    ...watch('clicks'),
  });
  const usage = startUsageWorker({
    database: deps.database,
    usage: deps.usage,
    ...watch('usage'),
  });
  if (config.role === 'api') {
    return {
      async stop() {
        await Promise.all([clicks.stop(), usage.stop()]);
        mailer?.close();
      },
    };
  }
  const retention = startRetentionWorker({
    database: deps.database,
    clock: deps.clock,
    auditRetentionDays: config.auditRetentionDays,
    attemptRetentionDays: config.attemptRetentionDays,
    ...watch('retention'),
  });
  const erasures = startErasureWorker({ ...deps, ...watch('erasures') });
  const trackingWatch = watch('tracking');
  const tracking = startTrackingWorker({
    database: deps.database,
    writer: deps.writer,
    tracker: makeTracker({
      writer: deps.writer,
      keyring: deps.keyring,
      listAccounts,
      onFailure: trackingWatch.onFailure,
    }),
    clock: deps.clock,
    newId: deps.newId,
    ...trackingWatch,
  });
  const reviews = startReviewWorker({ ...deps, ...watch('reviews') });
  const backtests = startBacktestWorker({ ...deps, listAccounts, ...watch('backtests') });
  const stripe = startStripeWorker({ ...deps, onBilled, ...watch('stripe') });
  const projects = new KeyCache(deps.clock);
  const dispatcher = startDispatcher({
    ...deps,
    ...makeFeedLookups(deps.database.reads),
    clock: deps.databaseClock,
    findProject: (projectId) =>
      projects.projects.get(projectId, () => findProjectRef(deps.database.reads, projectId)),
    ...watch('webhooks'),
    onAttempt: deps.metrics.observeAttempt,
  });
  const partnerStatus = startPartnerStatusWorker({ ...deps, ...watch('partner_status') });
  const payouts = startPayoutWorker({ ...deps, ...watch('payouts') });
  const dataDir = config.databaseUrl === null ? config.dataDir : null;
  const restores = startRestoreWorker({ ...deps, dataDir, ...watch('restores') });
  const rewards = startRewardWorker({
    ...deps,
    providers: deps.rewardProviders,
    ...watch('rewards'),
  });
  const news = mailer && startMailWorker({ ...deps, mailer, baseUrl, ...watch('mail') });
  const unsubscribe = deps.hints.subscribe((hint) => {
    if (hint === null) {
      dispatcher.sweep();
      rewards.sweep();
      return;
    }
    rewards.note(hint.projectId);
    if (hint.hasDeliveries) dispatcher.poke(hint.projectId);
  });
  const mail =
    mailer && startPartnerMailWorker({ ...deps, mailer, baseUrl, ...watch('partner_mail') });
  const signInMail =
    mailer && startSignInMailWorker({ ...deps, mailer, baseUrl, ...watch('sign_in_mail') });
  const onMailDue = () => {
    mail?.poke();
    signInMail?.poke();
    news?.poke();
  };
  deps.mailListeners.add(onMailDue);
  const onBacktestQueued = () => backtests.poke();
  deps.backtestListeners.add(onBacktestQueued);
  return {
    async stop() {
      unsubscribe();
      deps.mailListeners.delete(onMailDue);
      deps.backtestListeners.delete(onBacktestQueued);
      const stopped = Promise.all([
        clicks.stop(),
        usage.stop(),
        retention.stop(),
        erasures.stop(),
        tracking.stop(),
        reviews.stop(),
        backtests.stop(),
        stripe.stop(),
        dispatcher.stop(),
        payouts.stop(),
        restores.stop(),
        partnerStatus.stop(),
        rewards.stop(),
        mail?.stop(),
        signInMail?.stop(),
        news?.stop(),
      ]);
      // The worker was stopped first, so it does not start another mail in place of the aborted
      // one.
      mailer?.close();
      await stopped;
    },
  };
}
