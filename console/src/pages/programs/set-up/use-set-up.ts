import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { newKey } from '../../../api/kept-keys.ts';
import { DRAFTS } from '../../../app/drafts.ts';
import { type Project, projectsQuery } from '../../../app/project.ts';
import { useSession } from '../../../app/session.ts';
import { programsKey } from '../queries.ts';
import { NEW_TERMS } from '../terms/terms-form.ts';
import { type Draft, NEW_DRAFT, type Side } from './draft.ts';
import type { Task } from './plan.ts';
import { applyKind } from './presets.ts';
import { NO_PROGRESS, type Progress, runPlan } from './run-plan.ts';

interface Kept {
  readonly draft: Draft;
  readonly progress: Progress;
  /** Everything is created; only the first link is still to be shown. */
  readonly isFinished: boolean;
}

const FRESH: Kept = {
  draft: applyKind(NEW_DRAFT, NEW_DRAFT.kind),
  progress: NO_PROGRESS,
  isFinished: false,
};

/**
 * A set-up that survives a reload, and continues after a failure. A finished one is shown only if
 * its end is requested; otherwise the next one starts.
 */
export function useSetUp(project: Project, asksForEnd: boolean) {
  const { id: projectId } = project;
  const { user } = useSession();
  const place = `${DRAFTS}set-up-${user.id}-${projectId}`;
  const queryClient = useQueryClient();
  const [kept, setKept] = useState<Kept>(() => {
    const found = read(place);
    return found.isFinished && !asksForEnd ? FRESH : found;
  });
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const keep = (change: Partial<Kept>) =>
    setKept((old) => {
      const next = { ...old, ...change };
      sessionStorage.setItem(place, JSON.stringify(next));
      return next;
    });
  return {
    ...kept,
    isRunning,
    error,
    change: (change: Partial<Draft>) => {
      setError(null);
      keep({ draft: { ...kept.draft, ...change } });
    },
    /** Returns true once everything is created. */
    make: async (plan: readonly Task[]): Promise<boolean> => {
      setRunning(true);
      setError(null);
      try {
        await runPlan(plan, kept.progress, {
          send: (task, programId, key) => send(project, task, programId, key),
          newKey,
          onProgress: (progress) => keep({ progress }),
        });
        keep({ isFinished: true });
        return true;
      } catch (fault) {
        setError(fault);
        return false;
      } finally {
        setRunning(false);
        await Promise.all([
          queryClient.invalidateQueries({ queryKey: programsKey(projectId) }),
          queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey }),
        ]);
      }
    },
    startOver: () => {
      sessionStorage.removeItem(place);
      setError(null);
      setKept(FRESH);
    },
  };
}

export type SetUp = ReturnType<typeof useSetUp>;

function read(place: string): Kept {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place) ?? 'null') as Partial<Kept> | null;
    return {
      draft: { ...FRESH.draft, ...completed(kept?.draft) },
      progress: { ...NO_PROGRESS, ...kept?.progress },
      isFinished: kept?.isFinished ?? false,
    };
  } catch {
    return FRESH;
  }
}

/** A draft that was kept by an earlier version of this page lacks what terms have gained since. */
function completed(draft: Partial<Draft> | undefined): Partial<Draft> {
  if (!draft?.sides) return draft ?? {};
  const complete = (side: Side): Side => ({ ...side, terms: { ...NEW_TERMS, ...side.terms } });
  const { referrer, referee, subject } = draft.sides;
  return {
    ...draft,
    sides: { referrer: complete(referrer), referee: complete(referee), subject: complete(subject) },
  };
}

async function send(
  { id: projectId }: Project,
  task: Task,
  made: string | null,
  key: string,
): Promise<string | null> {
  const headers = { 'Idempotency-Key': key };
  if (task.type === 'program') {
    const body = { projectId, ...task.body };
    return (await answerOf(api.POST('/v1/programs', { body, headers }))).data.id;
  }
  if (task.type === 'origin') {
    const params = { path: { projectId } };
    await answerOf(api.PATCH('/v1/projects/{projectId}', { params, body: task.body }));
    return null;
  }
  if (made === null) throw new Error('The program is not created yet.');
  const params = { path: { programId: made } };
  if (task.type === 'delivery') {
    const body = { projectId, ...task.body };
    await answerOf(api.PUT('/v1/programs/{programId}/delivery-settings', { params, body }));
  } else if (task.type === 'policy') {
    const body = { projectId, ...task.body };
    await answerOf(
      api.POST('/v1/programs/{programId}/attribution-policies', { params, body, headers }),
    );
  } else if (task.type === 'rule') {
    const body = { projectId, programId: made, ...task.body };
    await answerOf(api.POST('/v1/benefit-rules', { body, headers }));
  } else {
    const body = { projectId, ...task.body };
    await answerOf(api.POST('/v1/programs/{programId}/status', { params, body, headers }));
  }
  return null;
}
