import { Text } from '@mantine/core';
import type { Answer } from '../../api/client.ts';
import { exponentOf } from '../../ui/currencies.ts';
import { Facts } from '../../ui/facts.tsx';
import { PersonCell } from '../../ui/person-cell.tsx';
import { RawJson } from '../../ui/raw-json.tsx';
import { Section } from '../../ui/section.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ProgramLink } from '../people/names.tsx';
import { totalText } from '../people/reward-benefit.ts';
import { RewardRows } from '../rewards/reward-rows.tsx';
import type { DryRunBody } from './dry-run-form.ts';
import { ExplanationView } from './explanation-view.tsx';
import { wordEvent, wordIdentify, wordRefCode } from './reasons.ts';

type DryRun = Answer<'/v1/simulations/events', 'post'>['data'];

/** The response and rewards that the event would have, shown like an event's page. */
export function DryRunResult({ body, run }: { body: DryRunBody; run: DryRun }) {
  const { response, explanation, rewards, isRepeat } = run;
  const { tone, label, sentence } = wordEvent(response);
  const { attribution, refCode } = response;
  const purchase = body.purchase
    ? {
        amountMinor: body.purchase.amountMinor,
        currency: body.purchase.currency,
        currencyExponent: exponentOf(body.purchase.currency) ?? 2,
        taxAmountMinor: null,
        orderId: null,
        invoiceId: null,
        subscriptionId: null,
        billingReason: null,
      }
    : null;
  return (
    <>
      <Section title="The answer" actions={<StatusBadge tone={tone} label={label} />}>
        {isRepeat && (
          <Text fw={600}>
            This participant has already signed up. The call would be a repeat: it would return the
            first response and change nothing.
          </Text>
        )}
        <Text>{sentence}</Text>
        <Facts
          rows={[
            attribution
              ? ['Referred by', <PersonCell key="r" id={attribution.referrerParticipantId} />]
              : undefined,
            attribution
              ? ['Program', <ProgramLink key="p" id={attribution.programId} />]
              : undefined,
            body.type === 'signup' ? ['Browser', wordIdentify(response)] : undefined,
            refCode ? ['Code', wordRefCode(refCode)] : undefined,
            ['Would earn', rewards.length > 0 ? totalText(rewards) : 'Nothing'],
          ]}
        />
      </Section>
      {rewards.length > 0 && (
        <Section title="Rewards it would earn">
          <RewardRows rewards={rewards} isDryRun />
        </Section>
      )}
      <ExplanationView explanation={explanation} type={body.type} purchase={purchase} isDryRun />
      <RawJson value={run} />
    </>
  );
}
