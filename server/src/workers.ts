import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { Clock } from './kit/clock.ts';
import type { Keyring } from './kit/keyring.ts';
import type { Logger } from './log.ts';
import type { Mailer } from './mail/mailer.ts';
import { createSmtpMailer } from './mail/smtp-mailer.ts';
import { startPartnerMailWorker } from './partners/worker.ts';
import { startRetentionWorker } from './privacy/worker.ts';

export interface Workers {
  /** Null without SMTP. */
  readonly mailer: Mailer | null;
  readonly onMailDue: () => void;
  stop(): Promise<void>;
}

/** Starts what this process does in the background: nothing, if its role is to serve only. */
export function startWorkers(
  config: Config,
  deps: {
    readonly database: Database;
    readonly clock: Clock;
    readonly keyring: Keyring;
    readonly baseUrl: string;
    readonly logger: Logger;
  },
): Workers {
  const { smtpUrl, mailFrom } = config;
  const mailer =
    smtpUrl !== null && mailFrom !== null ? createSmtpMailer({ smtpUrl, from: mailFrom }) : null;
  if (config.role === 'api') {
    return { mailer, onMailDue: () => undefined, stop: async () => mailer?.close() };
  }
  const onFailure = (error: unknown) => deps.logger.error({ err: error }, 'background work failed');
  const retention = startRetentionWorker({
    database: deps.database,
    clock: deps.clock,
    auditRetentionDays: config.auditRetentionDays,
    onFailure,
  });
  const mail = mailer && startPartnerMailWorker({ ...deps, mailer, onFailure });
  return {
    mailer,
    onMailDue: () => mail?.poke(),
    async stop() {
      const stopped = Promise.all([retention.stop(), mail?.stop()]);
      // The worker was told first, so it takes up no other mail for the one that is cut off.
      mailer?.close();
      await stopped;
    },
  };
}
