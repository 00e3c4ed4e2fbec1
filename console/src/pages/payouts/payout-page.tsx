import '../money.css';
import { Alert, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { Facts } from '../../ui/facts.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { MissingPage } from '../../ui/missing-page.tsx';
import { formatMinor } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { RawJson } from '../../ui/raw-json.tsx';
import { Section } from '../../ui/section.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { When } from '../../ui/when.tsx';
import { countOf } from '../../ui/words.ts';
import { PayoutBadge } from './badges.tsx';
import { PayoutLines } from './payout-lines.tsx';
import { PayeeName } from './payouts-table.tsx';
import { payoutQuery } from './queries.ts';
import { ResultForm } from './result-form.tsx';
import {
  BLAMES_DETAILS,
  FAILURE_REASONS,
  METHODS,
  outcomesFor,
  type PayoutDetail,
  payoutStateOf,
} from './states.ts';

export function PayoutPage() {
  const { payoutId = '' } = useParams({ strict: false });
  const project = useProject();
  const { data: payout, error, refetch } = useQuery(payoutQuery(project.id, payoutId));
  if (payout) return <LoadedPayout payout={payout} />;
  return (
    <MissingPage
      title="Payout"
      trail={{
        list: { label: 'Payouts', to: '/p/$projectId/payouts' },
        type: 'payout',
        id: payoutId,
      }}
      error={error}
      retry={() => void refetch()}
    />
  );
}

function LoadedPayout({ payout }: { payout: PayoutDetail }) {
  const mayPay = useMay('payouts:write');
  const [isRecording, setRecording] = useState(false);
  const { amountMinor, currency, currencyExponent, status, method } = payout;
  const { failureReason, failureMessage } = payout;
  const isNamed = failureReason !== 'other';
  const isRecordable = mayPay && outcomesFor(status).length > 0;
  const isDue = method === 'manual_export' && status === 'processing';
  return (
    <Page
      trail={{
        list: { label: 'Payouts', to: '/p/$projectId/payouts' },
        type: 'payout',
        id: payout.id,
      }}
      title={`Payout of ${formatMinor(amountMinor, currency, currencyExponent)}`}
      aside={<PayoutBadge payout={payout} />}
      intro={payoutStateOf(payout).explanation}
      actions={
        isRecordable ? (
          <Button variant={isDue ? 'filled' : 'default'} onClick={() => setRecording(true)}>
            Record result
          </Button>
        ) : undefined
      }
    >
      {failureReason && (
        <Alert
          color={status === 'failed' ? 'red' : 'orange'}
          variant="light"
          title={
            isNamed ? FAILURE_REASONS[failureReason] : (failureMessage ?? 'No reason was given')
          }
        >
          {isNamed && failureMessage && <Text size="sm">{failureMessage}</Text>}
          {BLAMES_DETAILS.has(failureReason) && (
            <Text size="sm">
              These details are not used again until the payee changes or saves them.
            </Text>
          )}
        </Alert>
      )}
      <div className="detail-columns">
        <Section
          title={`What it pays for: ${countOf(payout.rewards.length, 'line')}`}
          intro="The value of each reward, minus what was already paid for it. A negative line deducts a reward that was paid and then voided or refunded."
        >
          <PayoutLines payout={payout} />
        </Section>
        <aside aria-label="The transfer">
          <Section title="The transfer">
            <Facts
              rows={[
                ['To', <PayeeName key="to" payout={payout} />],
                ['Payout', <IdText key="id" value={payout.id} label="payout id" />],
                [
                  'Batch',
                  <ThingLink key="batch" type="payout_batch" id={payout.batchId}>
                    The batch it is part of
                  </ThingLink>,
                ],
                ['Method', `${METHODS[method].label}: ${METHODS[method].explanation}`],
                [
                  'Reference',
                  payout.providerReference ? (
                    <IdText key="ref" value={payout.providerReference} label="reference" />
                  ) : (
                    'None yet'
                  ),
                ],
                ['Created', <When key="made" at={payout.createdAt} />],
                payout.paidAt ? ['Paid', <When key="paid" at={payout.paidAt} />] : undefined,
              ]}
            />
          </Section>
        </aside>
      </div>
      <RawJson value={payout} />
      {isRecordable && (
        <ResultForm
          key={`${payout.id} ${payout.status}`}
          payout={payout}
          opened={isRecording}
          onClose={() => setRecording(false)}
        />
      )}
    </Page>
  );
}
