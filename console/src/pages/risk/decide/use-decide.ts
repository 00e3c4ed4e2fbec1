import { useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../../api/client.ts';
import { useProject } from '../../../app/project.ts';
import { PEOPLE_KEYS } from '../../people/queries.ts';
import { type Decision, REVIEW_KEYS } from '../queries.ts';

/** Makes a decision on one review, and reads again what decisions change. */
export function useDecide() {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const decide = (id: string, decision: Decision, note: string) =>
    answerOf(
      api.POST('/v1/risk-reviews/{id}/decision', {
        params: { path: { id } },
        body: { projectId, decision, ...(note ? { note } : {}) },
      }),
    );
  const refresh = () => {
    for (const key of [...REVIEW_KEYS, ...PEOPLE_KEYS])
      void queries.invalidateQueries({ queryKey: [key] });
  };
  return { decide, refresh };
}
