import { UsageLog } from './accounts/workspaces/usage/usage-log.ts';
import { type AppDeps, type AppSettings, buildApp } from './app.ts';
import { ClickCounter } from './domain/clicks/links/click-counter.ts';
import { createFindPayeeDetails } from './outbound/payouts/details/payee-details.ts';
import { queueDeliveries } from './outbound/webhooks/queue/queue-deliveries.ts';
import { createSender } from './outbound/webhooks/sender/send-request.ts';
import { API_VERSIONS } from './platform/feed/api-versions.ts';
import { createFeedHints } from './platform/feed/hints.ts';
import { createProjectWriter } from './platform/feed/writer/writer.ts';
import { makeNewId } from './platform/kit/ids.ts';

export interface ServiceSettings extends AppSettings {
  readonly projectQueueMax: number;
}

/** What the service creates itself. */
type Built =
  | 'newId'
  | 'hints'
  | 'writer'
  | 'sender'
  | 'clickCounter'
  | 'usage'
  | 'findDetails'
  | 'apiVersions'
  | 'onMailDue'
  | 'onBacktestQueued';

/** What differs between the program, a test and the description of the API. */
export interface ServiceParts extends Omit<AppDeps, Built> {
  readonly settings: ServiceSettings;
  readonly apiVersions?: AppDeps['apiVersions'];
  /** Replaces the lookup of payout details. */
  readonly findDetails?: AppDeps['findDetails'];
  /** Replaces what sends webhooks. */
  readonly sender?: AppDeps['sender'];
}

/** Everything that serves requests and that workers use. */
export interface Service extends AppDeps, ReturnType<typeof buildApp> {
  /** Called when a mail is ready to be sent. */
  readonly mailListeners: Set<() => void>;
  /** Called when a back-test was queued. */
  readonly backtestListeners: Set<() => void>;
  /** Closes what the service created, once it has no more callers. */
  close(): Promise<void>;
}

/** Assembles the service. It has no effects until it is used. */
export function buildService(parts: ServiceParts): Service {
  const { settings, database, clock, keyring, logger, metrics, tracer, reach } = parts;
  const newId = makeNewId(clock.nowMs);
  const hints = createFeedHints(database);
  const writer = createProjectWriter({
    fanOut: queueDeliveries,
    database,
    clock,
    newId,
    queueMax: settings.projectQueueMax,
    onAppend: hints.notify,
    onBatch: metrics.observeBatch,
    onSharedFailure: (err) => logger.warn({ err }, 'projects did not share a transaction'),
    tracer,
  });
  const sender = parts.sender ?? createSender({ reach });
  const mailListeners = new Set<() => void>();
  const backtestListeners = new Set<() => void>();
  const deps: AppDeps = {
    apiVersions: API_VERSIONS,
    findDetails: createFindPayeeDetails({ reads: database.reads, clock, keyring }),
    ...parts,
    newId,
    hints,
    writer,
    sender,
    clickCounter: new ClickCounter(),
    usage: new UsageLog(clock),
    onMailDue: () => {
      for (const listener of mailListeners) listener();
    },
    onBacktestQueued: () => {
      for (const listener of backtestListeners) listener();
    },
  };
  return {
    ...deps,
    ...buildApp(deps),
    mailListeners,
    backtestListeners,
    async close() {
      await sender.close();
      await writer.drain();
      await hints.close();
    },
  };
}
