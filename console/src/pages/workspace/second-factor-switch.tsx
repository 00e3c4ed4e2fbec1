import { Switch } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { notifyDone } from '../../ui/notify.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';

export function SecondFactorSwitch({ workspaceId }: { readonly workspaceId: string }) {
  const queryClient = useQueryClient();
  const queryKey = ['team-settings', workspaceId];
  const path = { workspaceId };
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/workspaces/{workspaceId}/team-settings', { params: { path }, signal })),
  });
  const isNeeded = data?.data.operatorsNeedTotp ?? false;
  const change = useSubmit(async () => {
    await answerOf(
      api.PUT('/v1/workspaces/{workspaceId}/team-settings', {
        params: { path },
        body: { operatorsNeedTotp: !isNeeded },
      }),
    );
    await queryClient.invalidateQueries({ queryKey });
    notifyDone(
      isNeeded
        ? 'Operators no longer need a second factor.'
        : 'Operators need a second factor from now on.',
    );
  });
  if (error) return <ErrorState error={error} retry={() => void refetch()} />;
  if (!data) return <Lines />;
  return (
    <Section
      title="Second factor"
      intro="Owners, admins and finance always need one. An operator without one has to set it up before doing anything else."
    >
      <Switch
        label="Operators also need a second factor"
        checked={isNeeded}
        disabled={change.isBusy}
        onChange={() => void change.submit()}
      />
      {change.error !== null && <ErrorState error={change.error} />}
    </Section>
  );
}
