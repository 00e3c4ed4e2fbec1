import { startWorker, type Watch, type Worker, waitsFor } from '../../platform/kit/worker.ts';
import type { MailWorkerDeps } from './partner-deps.ts';
import { sendDueMails } from './send-due-mails.ts';
import { sendDueLinks } from './sign-in/send-due-links.ts';
import { type CopyDeps, copyMissedStatuses } from './suspend-partner.ts';

const POLL_MS = 5_000;
const POLL_MAX_MS = 60_000;
/** Short, because somebody is waiting for the link. */
const LINK_POLL_MS = 1_000;
const LINK_POLL_MAX_MS = 5_000;

/** Sends due mails. Any number of processes may run one. */
export function startPartnerMailWorker(deps: MailWorkerDeps & Pick<Watch, 'onRun'>): Worker {
  return startWorker({
    runOnce: (stopping) => sendDueMails(deps, stopping),
    ...waitsFor(deps.database, { pollMs: POLL_MS, pollMaxMs: POLL_MAX_MS }),
    onFailure: deps.onFailure,
    onRun: deps.onRun,
  });
}

/** Mails the sign-in links of Partners. Any number of processes may run one. */
export function startSignInMailWorker(deps: MailWorkerDeps & Pick<Watch, 'onRun'>): Worker {
  return startWorker({
    runOnce: (stopping) => sendDueLinks(deps, stopping),
    pollMs: LINK_POLL_MS,
    pollMaxMs: LINK_POLL_MAX_MS,
    onFailure: deps.onFailure,
    onRun: deps.onRun,
  });
}

/** Copies statuses that were not yet copied to Projects. Any number of processes may run one. */
export function startPartnerStatusWorker(deps: CopyDeps & Watch): Worker {
  return startWorker({
    runOnce: () => copyMissedStatuses(deps, deps.onFailure),
    pollMs: POLL_MS,
    pollMaxMs: POLL_MAX_MS,
    onFailure: deps.onFailure,
    onRun: deps.onRun,
  });
}
