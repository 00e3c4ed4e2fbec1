import { Alert, Stack, Text } from '@mantine/core';
import { Facts } from '../../ui/facts.tsx';
import { formatMinor, Money } from '../../ui/money.tsx';
import { Section } from '../../ui/section.tsx';
import { humanize } from '../../ui/status-badge.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { payoutObstacle, payoutSums } from './payout-sums.ts';
import { useTheirPayouts, useTheirRewards } from './their-story.ts';

/** How their cash stands: paid, waiting, and what keeps it. */
export function PayoutState({ participantId }: { participantId: string }) {
  const { data } = useTheirRewards(participantId);
  const { data: payouts = [] } = useTheirPayouts(participantId);
  const sums = payoutSums(data?.rewards ?? []);
  if (!data || sums.length === 0) return null;
  const obstacle = payoutObstacle(data.rewards);
  return (
    <Section title="Cash" intro={data.isAll ? undefined : 'Of their newest 100 rewards.'}>
      <Stack gap="sm">
        {obstacle && (
          <Alert color="orange" p="xs">
            {obstacle}
          </Alert>
        )}
        {sums.map(({ currency, exponent, paidMinor, waitingMinor }) => (
          <Facts
            key={currency}
            rows={[
              ['Paid', <Money key="p" amountMinor={paidMinor} {...{ currency, exponent }} />],
              ['Waits', <Money key="w" amountMinor={waitingMinor} {...{ currency, exponent }} />],
            ]}
          />
        ))}
        {payouts.slice(0, 5).map((payout) => (
          <Text key={payout.id} size="sm">
            <ThingLink type="payout" id={payout.id}>
              {formatMinor(payout.amountMinor, payout.currency, payout.currencyExponent)}
            </ThingLink>
            , {humanize(payout.status).toLowerCase()}
          </Text>
        ))}
      </Stack>
    </Section>
  );
}
