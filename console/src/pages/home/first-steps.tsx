import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { PartyPopperIcon } from 'lucide-react';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { EmptyState } from '../../ui/states.tsx';

/** For a project without any program. */
export function FirstSteps() {
  const { id: projectId } = useProject();
  const mayCreate = useMay('programs:write');
  return (
    <EmptyState
      icon={<PartyPopperIcon size={40} />}
      title="Create your first link"
      action={
        mayCreate && (
          <Button
            component={Link}
            to="/p/$projectId/programs/new"
            params={{ projectId } as never}
            size="md"
          >
            Set up a program
          </Button>
        )
      }
    >
      {mayCreate
        ? 'Define what people earn for referring others and where their links lead. It takes a few minutes, and nothing is sent to anyone.'
        : 'There is no program here yet. An owner or admin can set one up.'}
    </EmptyState>
  );
}
