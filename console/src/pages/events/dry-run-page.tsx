import { Alert } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { FlaskConicalIcon } from 'lucide-react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import type { DryRunBody } from './dry-run-form.ts';
import { DryRunInput } from './dry-run-input.tsx';
import { DryRunResult } from './dry-run-result.tsx';

/** Tries an event without sending it. */
export function DryRunPage() {
  const project = useProject();
  const mayTry = useMay('track:write');
  const run = useMutation({
    mutationFn: async (body: DryRunBody) => ({
      body,
      result: (await answerOf(api.POST('/v1/simulations/events', { body }))).data,
    }),
  });
  return (
    <Page
      title="Dry run"
      intro="See how the service would respond to an event and what the event would earn right now. Nothing is written."
    >
      {mayTry ? (
        <>
          <DryRunInput
            key={project.id}
            onRun={(body) => run.mutate(body)}
            onChange={run.reset}
            isBusy={run.isPending}
            error={run.error}
          />
          {run.data && (
            <>
              <Alert color="blue" icon={<FlaskConicalIcon size={20} />} role="status">
                This is a dry run: nobody was credited, and no handle or limit was used.
              </Alert>
              <DryRunResult body={run.data.body} run={run.data.result} />
            </>
          )}
        </>
      ) : (
        <EmptyState icon={<FlaskConicalIcon size={36} />} title="Not with your role">
          To try out events, you need the permission to send them. An owner or admin can change your
          role under Team.
        </EmptyState>
      )}
    </Page>
  );
}
