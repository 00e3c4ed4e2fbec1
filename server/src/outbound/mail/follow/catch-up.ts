import type { MailWorkerDeps } from '../mail-deps.ts';
import { collectTasksOf } from './collect-tasks.ts';
import { followFeed } from './follow-feed.ts';

/** The worker reads what is left after so many steps. */
const STEPS_MAX = 50;

/**
 * Writes the mails that are caused by what has happened in a Project until now. Called before and after its clock
 * moves, so that each mail is judged by the time at which it was caused. A failure is only reported: the worker tries
 * again.
 */
export async function catchUpMails(deps: MailWorkerDeps, projectId: string): Promise<void> {
  try {
    for (let step = 0; step < STEPS_MAX; step += 1) {
      if ((await followFeed(deps, projectId)) === 0) break;
    }
    await collectTasksOf(deps, projectId);
  } catch (error) {
    deps.onFailure(error);
  }
}
