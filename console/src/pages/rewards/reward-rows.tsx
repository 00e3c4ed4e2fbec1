import { Text } from '@mantine/core';
import '../people/people.css';
import { breakable } from '../../ui/money.tsx';
import { PersonInline } from '../../ui/person-cell.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { humanize } from '../../ui/words.ts';
import { benefitText, originalText } from '../people/reward-benefit.ts';
import { explainReward, type Reward } from './explain-reward.ts';
import { roleName } from './reward-filters.ts';

/** The value of a reward; also before refunds, if they changed it. */
export function Benefit({ reward }: { reward: Reward }) {
  const before = originalText(reward);
  return (
    <span className="figure">
      {breakable(benefitText(reward))}
      {before && (
        <Text span size="sm" c="dimmed">
          {' '}
          of {before}
        </Text>
      )}
    </span>
  );
}

export function RewardBadge({ reward }: { reward: Reward }) {
  const { tone, label, sentence } = explainReward(reward);
  return <StatusBadge tone={tone} label={label} explanation={sentence} />;
}

/** A few rewards, without a table. */
export function RewardRows({
  rewards,
  isDryRun = false,
}: {
  rewards: readonly Reward[];
  /** Rewards of a dry run do not exist. */
  isDryRun?: boolean;
}) {
  return (
    <ul className="verdicts">
      {rewards.map((reward) => (
        <li key={reward.id} className="verdict">
          <div className="verdict-head">
            <Text span fw={600}>
              {isDryRun ? (
                <Benefit reward={reward} />
              ) : (
                <ThingLink type="reward" id={reward.id}>
                  <Benefit reward={reward} />
                </ThingLink>
              )}
            </Text>
            <RewardBadge reward={reward} />
          </div>
          <div className="verdict-about">
            <span>{humanize(reward.benefitKind)}</span>
            <span>
              For the {roleName(reward.beneficiaryRole)},{' '}
              {isDryRun && reward.beneficiary.externalId ? (
                reward.beneficiary.externalId
              ) : (
                <PersonInline id={reward.beneficiary.participantId} person={reward.beneficiary} />
              )}
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}
