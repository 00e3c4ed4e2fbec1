import { Alert, Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { HistoryIcon } from 'lucide-react';
import { heldOf, restoresQuery } from '../pages/restores/restores.ts';
import { useProject } from './project.ts';
import { useMay } from './session.ts';

/** On every page, for as long as the workspace pays nothing because its store was restored. */
export function RestoreNote() {
  const { id: projectId, workspaceId } = useProject();
  const mayRead = useMay('payouts:read');
  const { data } = useQuery({ ...restoresQuery(workspaceId), enabled: mayRead });
  if (!heldOf(data)) return null;
  return (
    <Alert color="red" icon={<HistoryIcon />} mb="lg" py="xs" role="status">
      This store was restored from an earlier state. Payments are paused until the providers are
      checked and somebody resumes them.{' '}
      <Anchor
        component={Link}
        to="/p/$projectId/restore"
        params={{ projectId } as never}
        underline="always"
        inherit
      >
        See what is left to do
      </Anchor>
    </Alert>
  );
}
