import { Money } from '../../ui/money.tsx';
import { PersonInline } from '../../ui/person-cell.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { When } from '../../ui/when.tsx';
import { typeName } from '../people/event-words.ts';
import { useRules } from '../people/queries.ts';
import type { PayoutDetail } from './states.ts';

/** The rewards that a payout pays for: by which rule, and for what somebody did. */
export function PayoutLines({ payout }: { payout: PayoutDetail }) {
  const { rewards, amountMinor, currency, currencyExponent: exponent } = payout;
  const rules = useRules();
  return (
    <ul className="plain-list" aria-label="Rewards">
      {rewards.map((line) => (
        <li key={line.rewardId} className="payout-line">
          <span className="payout-line-what">
            <ThingLink type="reward" id={line.rewardId}>
              {rules.get(line.ruleId)?.name ?? 'Reward'}
            </ThingLink>
            <span className="payout-line-why">
              {typeName(line.eventType)} of <PersonInline id={line.participantId} />
              <When at={line.earnedAt} />
            </span>
          </span>
          <Money amountMinor={line.amountMinor} currency={currency} exponent={exponent} />
        </li>
      ))}
      <li className="sum">
        <span>Total for this project</span>
        <Money amountMinor={amountMinor} currency={currency} exponent={exponent} />
      </li>
    </ul>
  );
}
