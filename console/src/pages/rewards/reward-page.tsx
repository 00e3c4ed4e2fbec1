import { Button, Stack, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import '../people/people.css';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { MissingPage } from '../../ui/missing-page.tsx';
import { formatMinor } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { RawJson } from '../../ui/raw-json.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { StepLine } from '../../ui/step-line.tsx';
import { When } from '../../ui/when.tsx';
import { useAdjustments } from '../participants/their-story.ts';
import { readPurchase } from '../people/event-words.ts';
import { eventQuery } from '../people/queries.ts';
import { benefitText } from '../people/reward-benefit.ts';
import { RewardReviewNote } from '../risk/review-note.tsx';
import { ActionDialog } from './action-dialog.tsx';
import { ACTION_WORDS } from './action-words.ts';
import { explainReward, type Reward } from './explain-reward.ts';
import { actionsFor, type RewardAction } from './reward-actions.ts';
import { DeliveryFacts, RewardFacts } from './reward-facts.tsx';
import { rewardSteps } from './reward-steps.ts';

/** One reward: what it is, why it was earned, its state, and the possible actions. */
export function RewardPage() {
  const { rewardId = '' } = useParams({ strict: false });
  const project = useProject();
  const { data, error, refetch } = useQuery({
    queryKey: ['rewards', project.id, rewardId],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/rewards/{rewardId}', {
          params: { path: { rewardId }, query: { projectId: project.id } },
          signal,
        }),
      ),
  });
  if (error || !data) {
    return (
      <MissingPage
        title="Reward"
        trail={{
          list: { label: 'Rewards', to: '/p/$projectId/rewards' },
          type: 'reward',
          id: rewardId,
        }}
        error={error}
        retry={() => void refetch()}
      />
    );
  }
  const { tone, label, sentence } = explainReward(data);
  return (
    <Page
      trail={{
        list: { label: 'Rewards', to: '/p/$projectId/rewards' },
        type: 'reward',
        id: data.id,
      }}
      title={rewardTitle(data)}
      intro={sentence}
      aside={<StatusBadge tone={tone} label={label} />}
      actions={<Actions reward={data} />}
    >
      {data.delivery.reason === 'risk_review' && <RewardReviewNote eventId={data.eventId} />}
      <StepLine label="Progress of this reward" steps={rewardSteps(data)} />
      <div className="detail-columns">
        <Stack gap="lg">
          <Section title="The reward">
            <RewardFacts reward={data} />
          </Section>
          <Adjustments reward={data} />
        </Stack>
        <Stack component="aside" gap="lg" aria-label="Delivery">
          <Section title="Delivery">
            <DeliveryFacts reward={data} />
          </Section>
        </Stack>
      </div>
      <RawJson value={data} />
    </Page>
  );
}

/** `€5.60 cash`, `2 books`. */
const rewardTitle = (reward: Reward) =>
  reward.money ? `${benefitText(reward)} ${reward.benefitKind}` : benefitText(reward);

function Actions({ reward }: { reward: Reward }) {
  const mayWrite = useMay('rewards:write');
  const [action, setAction] = useState<RewardAction | null>(null);
  if (!mayWrite) return null;
  return (
    <>
      {actionsFor(reward).map((one, index) => (
        <Button
          key={one}
          variant={index === 0 && one !== 'void' ? 'filled' : 'default'}
          onClick={() => setAction(one)}
        >
          {ACTION_WORDS[one].verb}…
        </Button>
      ))}
      {action && (
        <ActionDialog action={action} rewards={[reward]} onClose={() => setAction(null)} />
      )}
    </>
  );
}

const REFUND_POLICIES: Readonly<Record<string, string>> = {
  proportional: 'By these terms, it is reduced in proportion to the total refund.',
  full: 'By these terms any refund takes all of it.',
  none: 'By these terms refunds do not change it.',
};

/** How refunds, disputes and restorations changed it. */
function Adjustments({ reward }: { reward: Reward }) {
  const { data: theirs = [], error, refetch } = useAdjustments({ rewardId: reward.id });
  const { id: projectId } = useProject();
  const { data: event } = useQuery({
    ...eventQuery(projectId, reward.eventId),
    enabled: theirs.length > 0,
  });
  const { money } = reward;
  if (!money) return null;
  if (error) {
    return (
      <Section title="Refunds">
        <ErrorState error={error} retry={() => void refetch()} />
      </Section>
    );
  }
  if (theirs.length === 0) return null;
  const show = (minor: unknown) =>
    typeof minor === 'string' ? formatMinor(minor, money.currency, money.currencyExponent) : '–';
  // A refund is in the currency of the purchase, which may differ from the reward's.
  const bought = event && readPurchase(event.normalizedFacts);
  const showBought = (minor: unknown) =>
    typeof minor === 'string' && bought
      ? formatMinor(minor, bought.currency, bought.currencyExponent)
      : '–';
  return (
    <Section
      title="Refunds"
      intro={REFUND_POLICIES[String(theirs[0]?.calculationSnapshot.refundPolicy)]}
    >
      <Table.ScrollContainer minWidth={320} type="native">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>When</Table.Th>
              <Table.Th ta="end">Total refund</Table.Th>
              <Table.Th ta="end">Change</Table.Th>
              <Table.Th ta="end">Left</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {theirs.map(({ id, createdAt, signedAmountMinor, calculationSnapshot }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <When at={createdAt} />
                </Table.Td>
                <Table.Td ta="end">{showBought(calculationSnapshot.refundedTotalMinor)}</Table.Td>
                <Table.Td ta="end">{show(signedAmountMinor)}</Table.Td>
                <Table.Td ta="end">{show(calculationSnapshot.newNetMinor)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}
