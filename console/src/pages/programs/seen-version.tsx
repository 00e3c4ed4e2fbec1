import { Alert } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { useProject } from '../../app/project.ts';
import { programsKey } from './queries.ts';

/**
 * The newest version when a form was opened. Nobody replaces unseen what somebody else has published meanwhile: the
 * service refuses it, the versions are read again, and only then the form can replace the newer one.
 */
export function useSeenVersion(newest: number) {
  const queries = useQueryClient();
  const { id: projectId } = useProject();
  const [seen, setSeen] = useState(newest);
  const [isOutdated, setOutdated] = useState(false);
  return {
    /** The version that publishing again would replace; null if there is none newer. */
    replaced: isOutdated ? newest : null,
    async send<T>(publish: (afterVersion: number) => Promise<T>): Promise<T> {
      const afterVersion = isOutdated ? newest : seen;
      setSeen(afterVersion);
      try {
        return await publish(afterVersion);
      } catch (error) {
        if (error instanceof ApiError && error.reason === 'version_outdated') {
          await queries.invalidateQueries({ queryKey: programsKey(projectId) });
          setOutdated(true);
        }
        throw error;
      }
    },
  };
}

export function Outdated({ newest }: { newest: number | null }) {
  if (newest === null) return null;
  return (
    <Alert
      color="orange"
      variant="light"
      role="alert"
      title="Somebody else has published a version"
    >
      Version {newest} is newer than what this form began with. Nothing has been published. Cancel
      to look at it, or publish again to replace it.
    </Alert>
  );
}
