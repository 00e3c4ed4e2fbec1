import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';

/** The newest rewards of a participant; `isAll` is false if there are more. */
export function useTheirRewards(participantId: string) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ['rewards', projectId, 'of-participant', participantId],
    queryFn: async ({ signal }) => {
      const { data, nextCursor } = await answerOf(
        api.GET('/v1/rewards', {
          params: { query: { projectId, beneficiaryParticipantId: participantId, limit: 100 } },
          signal,
        }),
      );
      return { rewards: data, isAll: nextCursor === null };
    },
    enabled: useMay('referrals:read'),
  });
}

/**
 * The newest payouts to a participant; `isAll` is false if there are more. None for users who may
 * not see payouts.
 */
export function useTheirPayouts(participantId: string) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ['payouts', projectId, 'of-participant', participantId],
    queryFn: async ({ signal }) => {
      const { data, nextCursor } = await answerOf(
        api.GET('/v1/payouts', {
          params: { query: { projectId, beneficiaryParticipantId: participantId, limit: 100 } },
          signal,
        }),
      );
      return { payouts: data, isAll: nextCursor === null };
    },
    enabled: useMay('payouts:read'),
  });
}

/**
 * The newest hundred refunds and restorations, of one reward or of all rewards of a participant.
 */
export function useAdjustments(of: { rewardId: string } | { beneficiaryParticipantId: string }) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ['rewards', projectId, 'adjustments', of],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/reward-adjustments', { params: { query: { projectId, ...of } }, signal }),
        )
      ).data,
    enabled: useMay('referrals:read'),
  });
}
