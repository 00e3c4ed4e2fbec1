import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useProject } from '../../app/project.ts';
import { notifyDone } from '../../ui/notify.ts';
import { programsKey } from './queries.ts';

/**
 * Saves a part of a program: refreshes everything that shows it, reports success, and keeps a
 * refusal.
 */
export function useSaving<T>(
  save: (input: T) => Promise<unknown>,
  done: string,
  onSaved?: () => void,
) {
  const queryClient = useQueryClient();
  const { id: projectId } = useProject();
  return useMutation({
    mutationFn: save,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: programsKey(projectId) });
      notifyDone(done);
      onSaved?.();
    },
  });
}
