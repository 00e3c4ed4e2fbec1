import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useProject } from '../../app/project.ts';
import { notifyDone } from '../../ui/notify.ts';
import { programsKey } from './queries.ts';

interface Afterwards {
  /** As soon as it is saved: closes a dialog. What shows the program is read again behind it. */
  readonly onSaved?: () => void;
  /** Once the program is read again: a form then shows it instead of what was typed. */
  readonly onRead?: () => void;
}

/**
 * Saves a part of a program: refreshes everything that shows it, reports success, and keeps a
 * refusal.
 */
export function useSaving<T>(
  save: (input: T) => Promise<unknown>,
  done: string,
  { onSaved, onRead }: Afterwards = {},
) {
  const queryClient = useQueryClient();
  const { id: projectId } = useProject();
  return useMutation({
    mutationFn: save,
    onSuccess: async () => {
      const reading = queryClient.invalidateQueries({ queryKey: programsKey(projectId) });
      onSaved?.();
      if (onRead) await reading;
      notifyDone(done);
      onRead?.();
    },
  });
}
