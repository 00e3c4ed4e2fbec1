import { Facts } from '../../ui/facts.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { Money } from '../../ui/money.tsx';
import { PersonCell } from '../../ui/person-cell.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { When } from '../../ui/when.tsx';
import { humanize } from '../../ui/words.ts';
import { milestoneWords, stepWords } from '../events/measured-words.ts';
import { useTheirPayouts } from '../participants/their-story.ts';
import { ProgramLink } from '../people/names.tsx';
import { useRules, useTerms } from '../people/queries.ts';
import type { Reward } from './explain-reward.ts';
import { voidReasonLabel } from './reward-actions.ts';
import { labelIn, METHODS, ROLES } from './reward-filters.ts';

/** Its value, its beneficiary, and why they have it. */
export function RewardFacts({ reward }: { reward: Reward }) {
  const rule = useRules().get(reward.ruleId);
  const terms = useTerms(reward.ruleId, reward.termsVersionId);
  const { money, custom, beneficiary } = reward;
  const amount = (amountMinor: string) =>
    money && (
      <Money
        amountMinor={amountMinor}
        currency={money.currency}
        exponent={money.currencyExponent}
      />
    );
  return (
    <Facts
      rows={[
        ['For', <PersonCell key="f" id={beneficiary.participantId} person={beneficiary} />],
        ['Role', labelIn(ROLES, reward.beneficiaryRole)],
        money ? ['Amount', amount(money.amountMinor)] : undefined,
        money ? ['After refunds', amount(money.netAmountMinor)] : undefined,
        custom?.plan ? ['Plan', `${custom.plan} for ${custom.periods} periods`] : undefined,
        custom?.validityDays
          ? ['Valid for', `${custom.validityDays} days from the grant`]
          : undefined,
        [
          'Why',
          <ThingLink key="e" type="event" id={reward.eventId}>
            The event that earned it, and the arithmetic
          </ThingLink>,
        ],
        reward.tier
          ? ['Counted', stepWords(reward.tier, terms?.currency ?? null, rule?.eventType ?? null)]
          : undefined,
        reward.milestone
          ? ['Milestone', milestoneWords(reward.milestone, terms?.currency ?? null)]
          : undefined,
        ['Rule', rule?.name ?? <IdText key="u" value={reward.ruleId} />],
        [
          'Terms',
          terms ? `Version ${terms.version}` : <IdText key="t" value={reward.termsVersionId} />,
        ],
        ['Program', <ProgramLink key="p" id={reward.programId} />],
        ['Earned', <When key="w" at={reward.earnedAt} />],
        ['Id', <IdText key="i" value={reward.id} />],
      ]}
    />
  );
}

const ACTORS = {
  console: 'in this console',
  api: 'by your backend',
  webhook: 'by the answer of a webhook endpoint',
  service: 'by the service',
} as const;

/** How it is delivered, and what was recorded about that. */
export function DeliveryFacts({ reward }: { reward: Reward }) {
  const { delivery, fulfillment, revocation, void: voided } = reward;
  const { data } = useTheirPayouts(reward.beneficiary.participantId);
  const payouts = data?.payouts ?? [];
  const holding = payouts.filter(({ rewards }) =>
    rewards.some(({ rewardId }) => rewardId === reward.id),
  );
  return (
    <Facts
      rows={[
        ['Delivered by', labelIn(METHODS, delivery.method)],
        ['Status', humanize(delivery.status)],
        delivery.reason ? ['Reason', humanize(delivery.reason)] : undefined,
        ['Available from', <When key="a" at={reward.availableAt} />],
        delivery.providerReference
          ? ['At the provider', <IdText key="p" value={delivery.providerReference} />]
          : undefined,
        holding.length > 0
          ? [
              holding.length === 1 ? 'Payout' : 'Payouts',
              <span key="o" className="two-lines">
                {holding.map(({ id, status, createdAt }) => (
                  <ThingLink key={id} type="payout" id={id}>
                    <When at={createdAt} />, {humanize(status).toLowerCase()}
                  </ThingLink>
                ))}
              </span>,
            ]
          : undefined,
        ...recorded(reward.benefitKind === 'cash' ? 'Paid' : 'Granted', fulfillment),
        ...(voided
          ? ([
              ['Voided', <When key="v" at={voided.voidedAt} />],
              ['Void reason', voidReasonLabel(voided.reasonCode)],
              ...(voided.reason ? [['In words', voided.reason] as const] : []),
            ] as const)
          : []),
        ...recorded('Taken back', revocation),
      ]}
    />
  );
}

function recorded(verb: string, record: Reward['fulfillment']) {
  if (!record) return [];
  const at = (
    <span>
      <When at={record.occurredAt} />, {ACTORS[record.actor]}
    </span>
  );
  const reference = <IdText value={record.externalReference} label="reference" />;
  return [[verb, at] as const, [`${verb}: reference`, reference] as const];
}
