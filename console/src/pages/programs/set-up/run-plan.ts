import { ApiError } from '../../../api/errors.ts';
import type { Task } from './plan.ts';

/** What was created so far, and the key under which each thing was last sent. */
export interface Progress {
  readonly programId: string | null;
  readonly done: readonly string[];
  readonly sent: Readonly<Record<string, { readonly key: string; readonly body: string }>>;
}

export const NO_PROGRESS: Progress = { programId: null, done: [], sent: {} };

/** Sends one task; returns the id of the program if it created that. */
export type Send = (
  task: Task,
  programId: string | null,
  idempotencyKey: string,
) => Promise<string | null>;

interface PlanSteps {
  readonly send: Send;
  readonly newKey: () => string;
  readonly onProgress: (progress: Progress) => void;
}

/**
 * Creates what is missing, one after the other, and stops at the first refusal. A request without a
 * response is repeated under the same key, so that nothing is created twice.
 */
export async function runPlan(
  plan: readonly Task[],
  start: Progress,
  { send, newKey, onProgress }: PlanSteps,
): Promise<void> {
  let progress = start;
  const keep = (change: Partial<Progress>) => {
    progress = { ...progress, ...change };
    onProgress(progress);
  };
  for (const task of plan) {
    if (progress.done.includes(task.id)) continue;
    const body = JSON.stringify(task.body);
    const before = progress.sent[task.id];
    const key = before?.body === body ? before.key : newKey();
    keep({ sent: { ...progress.sent, [task.id]: { key, body } } });
    const programId = await sendOnce(task, progress.programId, key, send);
    keep({ programId: programId ?? progress.programId, done: [...progress.done, task.id] });
  }
}

/** An existing rule counts as created: a program has one per side and event. */
async function sendOnce(
  task: Task,
  programId: string | null,
  key: string,
  send: Send,
): Promise<string | null> {
  try {
    return await send(task, programId, key);
  } catch (error) {
    const isThere = error instanceof ApiError && error.reason === 'rule_exists';
    if (isThere && task.type === 'rule') return null;
    throw error;
  }
}
