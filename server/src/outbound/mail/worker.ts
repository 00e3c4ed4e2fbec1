import type { Watch, Worker } from '../../platform/kit/worker.ts';
import { startWorker, waitsFor } from '../../platform/kit/worker.ts';
import { collectTasks } from './follow/collect-tasks.ts';
import { followFeeds } from './follow/follow-feed.ts';
import type { MailSenderDeps } from './mail-deps.ts';
import { sendMails } from './send/send-mails.ts';

const POLL_MS = 2_000;
const POLL_MAX_MS = 10_000;
const COLLECT_MS = 60_000;

/** Writes and sends the mails of Projects. Any number of processes may run one. */
export function startMailWorker(deps: MailSenderDeps & Pick<Watch, 'onRun'>): Worker {
  let collectAtMs = 0;
  return startWorker({
    async runOnce(stopping) {
      let done = await followFeeds(deps, stopping);
      if (deps.clock.nowMs() >= collectAtMs) {
        collectAtMs = deps.clock.nowMs() + COLLECT_MS;
        done += await collectTasks(deps, stopping);
      }
      return done + (await sendMails(deps, stopping));
    },
    ...waitsFor(deps.database, { pollMs: POLL_MS, pollMaxMs: POLL_MAX_MS }),
    onFailure: deps.onFailure,
    onRun: deps.onRun,
  });
}
