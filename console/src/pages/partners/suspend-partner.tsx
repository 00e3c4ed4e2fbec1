import { useQueries, useQueryClient } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { countOf } from '../../ui/words.ts';
import { standingQuery } from './partner-in-project.tsx';
import { effectsOfSuspending, sayShares, sumUp } from './suspension-effects.ts';

export type PartnerWithProjects = Answer<'/v1/partners/{partnerId}'>['data'];

interface SuspendPartnerProps {
  readonly partner: PartnerWithProjects;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Suspends or reinstates a partner, and shows the effects in numbers. */
export function SuspendPartner({ partner, opened, onClose }: SuspendPartnerProps) {
  const queryClient = useQueryClient();
  const path = { partnerId: partner.id };
  const name = partner.name ?? 'this partner';
  const done = (message: string) => {
    void queryClient.invalidateQueries({ queryKey: ['partners'] });
    notifyDone(message);
  };
  const suspend = (reason: string) =>
    answerOf(
      api.POST('/v1/partners/{partnerId}/suspend', {
        params: { path },
        body: { reason: reason || null },
      }),
    );
  const reinstate = () =>
    answerOf(api.POST('/v1/partners/{partnerId}/reinstate', { params: { path } }));
  const standing = sumUp(
    useQueries({
      queries: partner.participants.map(({ projectId, participantId }) =>
        standingQuery(projectId, participantId),
      ),
    }).flatMap(({ data }) =>
      data
        ? [
            {
              codes: data.refCodes.length,
              links: data.links.length,
              referrals: data.referrals.length,
              drafts: data.draftCount,
            },
          ]
        : [],
    ),
  );
  const projects = countOf(partner.participants.length, 'project');
  if (partner.status === 'suspended') {
    return (
      <Confirm
        opened={opened}
        onClose={onClose}
        title={`Reinstate ${name}?`}
        action="Reinstate"
        onConfirm={reinstate}
        onDone={() => done(`${name} earns again.`)}
      >
        From now on it earns and is paid as before in {projects}, with {sayShares(standing)}. What
        happened while it was suspended is not earned afterwards.
      </Confirm>
    );
  }
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={`Suspend ${name}?`}
      action={`Suspend in ${projects}`}
      isDangerous
      reason={{ label: 'Reason, for your own records' }}
      onConfirm={suspend}
      onDone={() => done(`${name} is suspended.`)}
    >
      <p>In {projects}, from now on:</p>
      <ul>
        {effectsOfSuspending(standing).map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      <p>It keeps what it earned before. You can reinstate it at any time.</p>
    </Confirm>
  );
}
