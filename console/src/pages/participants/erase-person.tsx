import { Button, List, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2Icon } from 'lucide-react';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { personLabel } from '../../ui/person.ts';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { countOf } from '../../ui/words.ts';
import { type ParticipantDetail, PEOPLE_KEYS } from '../people/queries.ts';
import { totalText } from '../people/reward-benefit.ts';

const STEP = 100;

/** Erases a person, after showing in numbers what is deleted and what stays. */
export function ErasePerson({ detail }: { detail: ParticipantDetail }) {
  const mayErase = useMay('participants:write');
  const [isOpen, setOpen] = useState(false);
  if (!mayErase) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<Trash2Icon size={16} />}
        onClick={() => setOpen(true)}
      >
        Erase…
      </Button>
      {isOpen && <EraseDialog detail={detail} onClose={() => setOpen(false)} />}
    </>
  );
}

function EraseDialog({ detail, onClose }: { detail: ParticipantDetail; onClose: () => void }) {
  const { participant, enrollments, refCodes, links } = detail;
  const project = useProject();
  const queries = useQueryClient();
  const { data: unsettled, error, refetch } = useUnsettled(participant.id);
  const count = unsettled?.length ?? 0;
  const many = count >= STEP ? `${count} or more rewards` : countOf(count, 'reward');
  const erase = () =>
    answerOf(
      api.DELETE('/v1/participants/{id}', {
        params: {
          path: { id: participant.id },
          query: { projectId: project.id, ...(count > 0 ? { force: true } : {}) },
        },
      }),
    );
  const ends = enrollments.filter(({ endsAt }) => endsAt === null).length;
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Erase ${personLabel(participant, participant.id)}?`}
      action={count > 0 ? `Erase and void ${many}` : 'Erase permanently'}
      isDangerous
      isReady={unsettled !== undefined}
      onConfirm={erase}
      onDone={() => {
        for (const key of PEOPLE_KEYS) void queries.invalidateQueries({ queryKey: [key] });
        notifyDone('They are erased.');
      }}
    >
      {error && !unsettled && <ErrorState error={error} retry={() => void refetch()} />}
      {unsettled && (
        <Stack gap="sm">
          <Text>This cannot be undone. Effects:</Text>
          <List size="sm" spacing={4}>
            <List.Item>
              Name, e-mail, billing id and external id are deleted. Your backend cannot use this
              external id again unless an owner or admin readmits the person.
            </List.Item>
            <List.Item>
              {countOf(ends, 'enrollment')} {ends === 1 ? 'ends' : 'end'};{' '}
              {countOf(refCodes.length, 'code')} and {countOf(links.length, 'link')} stop working.
            </List.Item>
            <List.Item>Payout details and the properties of their events are deleted.</List.Item>
            {count > 0 && (
              <List.Item>
                <strong>
                  {many} that they still wait for ({totalText(unsettled)}){' '}
                  {count === 1 ? 'is' : 'are'} voided.
                </strong>{' '}
                Rewards that are already being delivered may still reach them.
              </List.Item>
            )}
          </List>
          <Text size="sm">
            Kept under an opaque id, for your books: amounts of events, referrals, rewards and
            payouts.
          </Text>
        </Stack>
      )}
      {!unsettled && !error && <Lines count={4} />}
    </Confirm>
  );
}

/** Rewards that an erasure would void. They are requested only when the user wants to erase. */
function useUnsettled(participantId: string) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ['rewards', projectId, 'unsettled', participantId],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        (['pending', 'in_progress'] as const).map((fulfillmentStatus) =>
          answerOf(
            api.GET('/v1/rewards', {
              params: {
                query: {
                  projectId,
                  beneficiaryParticipantId: participantId,
                  fulfillmentStatus,
                  limit: STEP,
                },
              },
              signal,
            }),
          ),
        ),
      );
      return pages.flatMap(({ data }) => data);
    },
    staleTime: 0,
  });
}
