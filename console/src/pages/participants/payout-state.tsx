import { Alert, Group, Stack, Text } from '@mantine/core';
import { Facts } from '../../ui/facts.tsx';
import { formatMinor, Money } from '../../ui/money.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { When } from '../../ui/when.tsx';
import { humanize } from '../../ui/words.ts';
import { cashSums, payoutObstacle } from './payout-sums.ts';
import { useTheirPayouts, useTheirRewards } from './their-story.ts';

const PAYOUTS_SHOWN = 5;

/** Their cash: earned, paid, still to be paid, and what prevents it. */
export function PayoutState({ participantId }: { participantId: string }) {
  const { data } = useTheirRewards(participantId);
  const theirs = useTheirPayouts(participantId);
  // Users without permission for payouts see what was earned, and nothing about transfers.
  const mayPayouts = theirs.isEnabled;
  if (!data || (mayPayouts && theirs.isPending)) return null;
  const { payouts, isAll } = theirs.data ?? { payouts: [], isAll: true };
  const sums = cashSums(data.rewards, payouts);
  if (sums.length === 0) return null;
  const obstacle = payoutObstacle(data.rewards, theirs.data ? sums : null);
  return (
    <Section
      title="Cash"
      intro={data.isAll && isAll ? undefined : 'Of their newest 100 rewards and payouts.'}
    >
      <Stack gap="sm">
        {theirs.isError && <ErrorState error={theirs.error} retry={() => void theirs.refetch()} />}
        {obstacle && (
          <Alert color="orange" p="xs">
            {obstacle}
          </Alert>
        )}
        {sums.map(({ currency, exponent, earnedMinor, paidMinor, dueMinor }) => {
          const show = (amountMinor: string) => (
            <Money amountMinor={amountMinor} currency={currency} exponent={exponent} />
          );
          return (
            <Facts
              key={currency}
              rows={[
                sums.length > 1 ? ['Currency', currency] : undefined,
                ['Earned, net', show(earnedMinor)],
                theirs.data ? ['Paid out', show(paidMinor)] : undefined,
                theirs.data && !dueMinor.startsWith('-')
                  ? ['For the next payouts', show(dueMinor)]
                  : undefined,
                theirs.data && dueMinor.startsWith('-')
                  ? ['They owe', show(dueMinor.slice(1))]
                  : undefined,
              ]}
            />
          );
        })}
        {payouts.length > 0 && (
          <Text size="sm" fw={600}>
            Latest payouts
          </Text>
        )}
        {payouts.slice(0, PAYOUTS_SHOWN).map((payout) => (
          <Group key={payout.id} justify="space-between" gap="0 0.75rem">
            <Text size="sm">
              <ThingLink type="payout" id={payout.id}>
                {formatMinor(payout.amountMinor, payout.currency, payout.currencyExponent)}
              </ThingLink>
              , {humanize(payout.status).toLowerCase()}
            </Text>
            <Text size="sm" c="dimmed">
              <When clock="real" at={payout.createdAt} />
            </Text>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
