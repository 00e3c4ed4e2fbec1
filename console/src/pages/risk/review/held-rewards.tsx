import { Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { answerOf, api } from '../../../api/client.ts';
import { useProject } from '../../../app/project.ts';
import { Section } from '../../../ui/section.tsx';
import { Lines } from '../../../ui/states.tsx';
import { countOf } from '../../../ui/words.ts';
import { RewardRows } from '../../rewards/reward-rows.tsx';
import { sumText } from '../decide/decision-words.ts';
import type { ReviewDetail } from '../queries.ts';

const SHOWN_MAX = 10;

/** What the referral has earned. */
export function HeldRewards({ review }: { review: ReviewDetail }) {
  const { id: projectId } = useProject();
  const { rewardIds, heldRewards, status } = review;
  const shown = rewardIds.slice(0, SHOWN_MAX);
  const { rewards, isPending } = useQueries({
    queries: shown.map((rewardId) => ({
      queryKey: ['rewards', projectId, rewardId],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        answerOf(
          api.GET('/v1/rewards/{rewardId}', {
            params: { path: { rewardId }, query: { projectId } },
            signal,
          }),
        ),
    })),
    combine: (answers) => ({
      rewards: answers.flatMap(({ data }) => data ?? []),
      isPending: answers.some((one) => one.isPending),
    }),
  });
  const worth = sumText([review]);
  const more = rewardIds.length - shown.length;
  const intro =
    status === 'open' && heldRewards > 0
      ? `${countOf(heldRewards, 'reward')}${worth && ` worth ${worth}`} held.`
      : undefined;
  return (
    <Section title="Rewards of the referral" intro={intro}>
      {rewardIds.length === 0 && <Text c="dimmed">None so far.</Text>}
      {isPending && <Lines count={Math.min(shown.length, 3)} />}
      {rewards.length > 0 && <RewardRows rewards={rewards} />}
      {more > 0 && (
        <Text size="sm" c="dimmed">
          And {countOf(more, 'more', 'more')}.
        </Text>
      )}
    </Section>
  );
}
