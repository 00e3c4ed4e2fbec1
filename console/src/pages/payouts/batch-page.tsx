import '../money.css';
import { Alert, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useProject } from '../../app/project.ts';
import { Author } from '../../ui/author.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { MissingPage } from '../../ui/missing-page.tsx';
import { Page } from '../../ui/page.tsx';
import { RawJson } from '../../ui/raw-json.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { StepLine } from '../../ui/step-line.tsx';
import { useFilters } from '../../ui/use-filters.ts';
import { When } from '../../ui/when.tsx';
import { countOf } from '../../ui/words.ts';
import { BatchBadge } from './badges.tsx';
import { BatchActions, useNeedsOther } from './batch-actions.tsx';
import { batchSteps } from './batch-steps.ts';
import { LeftOut } from './owed.tsx';
import { PayoutsTable, usePayouts } from './payouts-table.tsx';
import { batchQuery } from './queries.ts';
import {
  type Batch,
  type BatchDetail,
  batchStateOf,
  METHODS,
  PAYOUT_STATUSES,
  payoutStateOf,
} from './states.ts';
import { inOrder, payoutCountOf, sumsOf } from './totals.ts';

export function BatchPage() {
  const { batchId = '' } = useParams({ strict: false });
  const project = useProject();
  const { data: batch, error, refetch } = useQuery(batchQuery(project.id, batchId));
  if (error || !batch) {
    return (
      <MissingPage
        title="Payout batch"
        trail={{
          list: { label: 'Payouts', to: '/p/$projectId/payouts' },
          type: 'payout_batch',
          id: batchId,
        }}
        error={error}
        retry={() => void refetch()}
      />
    );
  }
  return <LoadedBatch batch={batch} />;
}

function LoadedBatch({ batch }: { batch: BatchDetail }) {
  const project = useProject();
  const isEmptyDraft = batch.status === 'draft' && payoutCountOf(batch) === 0;
  const explanation = isEmptyDraft
    ? 'Nobody could be paid when this draft was created, so there is nothing to approve. Cancel it, and draft another batch once somebody can be paid.'
    : batchStateOf(batch).explanation;
  const needsOther = useNeedsOther(batch);
  return (
    <Page
      trail={{
        list: { label: 'Payouts', to: '/p/$projectId/payouts' },
        type: 'payout_batch',
        id: batch.id,
      }}
      title="Payout batch"
      aside={<BatchBadge batch={batch} />}
      intro={explanation}
      actions={<BatchActions batch={batch} />}
    >
      <StepLine label="Progress of this batch" clock="real" steps={batchSteps(batch)} />
      {batch.status === 'draft' && needsOther && !isEmptyDraft && (
        <Alert color="blue" variant="light">
          You created this draft, so another person has to approve it. This workspace requires a
          second approver.
        </Alert>
      )}
      <Section
        title={
          batch.totals.length === 0
            ? 'Nobody to pay'
            : `${sumsOf(batch.totals)} ${recipientsOf(batch)}`
        }
      >
        <Standing batch={batch} />
        <Facts
          rows={[
            ['Batch', <IdText key="id" value={batch.id} label="batch id" />],
            ['Method', `${METHODS[batch.method].label}: ${METHODS[batch.method].explanation}`],
            ['Transfers', payoutCountOf(batch).toLocaleString()],
            ['Currency', batch.currency ?? 'All'],
            batch.cutoffAt
              ? ['Available before', <When key="cutoff" at={batch.cutoffAt} />]
              : undefined,
            batch.projectIds.length > 1
              ? ['Projects', `${batch.projectIds.length}; below is what this one has in it`]
              : undefined,
            ['Drafted', <Moment key="made" at={batch.createdAt} by={batch.createdBy} />],
            batch.approvedAt
              ? ['Approved', <Moment key="ok" at={batch.approvedAt} by={batch.approvedBy} />]
              : undefined,
            batch.submittedAt
              ? ['Submitted', <When key="sent" clock="real" at={batch.submittedAt} />]
              : undefined,
            batch.cancelledAt
              ? ['Cancelled', <When key="gone" clock="real" at={batch.cancelledAt} />]
              : undefined,
          ]}
        />
        <RawJson value={batch} />
      </Section>
      {batch.status === 'draft' && <LeftOut batch={batch} isEmpty={isEmptyDraft} />}
      <BatchPayouts key={project.id} batch={batch} />
    </Page>
  );
}

/** The totals are over all projects; how many people are paid is known of this one alone. */
const recipientsOf = ({ projectIds, payeeCount, totals }: BatchDetail) =>
  projectIds.length === 1
    ? `to ${countOf(payeeCount, 'person', 'people')}`
    : `in ${countOf(payoutCountOf({ totals }), 'transfer')}`;

function Moment({ at, by }: { at: string; by: string | null }) {
  return (
    <>
      <When clock="real" at={at} />
      {by && (
        <Text span inherit c="dimmed">
          {' '}
          by <Author by={by} />
        </Text>
      )}
    </>
  );
}

/** The number of payouts by state. */
function Standing({ batch }: { batch: BatchDetail }) {
  const [, setFilters] = useFilters();
  if (batch.payoutsByStatus.length === 0) return null;
  return (
    <Group gap="md">
      {inOrder(batch.payoutsByStatus).map(({ status, count }) => (
        <button
          key={status}
          type="button"
          className="tally"
          onClick={() => setFilters({ status })}
          title="Show these only"
        >
          <span className="figure">{count.toLocaleString()}</span>{' '}
          <StatusBadge
            {...payoutStateOf({ status, method: batch.method })}
            explanation={undefined}
          />
        </button>
      ))}
    </Group>
  );
}

function BatchPayouts({ batch }: { batch: Batch }) {
  const [filters, setFilters] = useFilters();
  const { status } = filters;
  const list = usePayouts({ batchId: batch.id, status });
  return (
    <Stack>
      <div className="filters">
        <Select
          aria-label="State"
          placeholder="Every state"
          clearable
          data={PAYOUT_STATUSES.map((value) => ({
            value,
            label: payoutStateOf({ status: value, method: batch.method }).label,
          }))}
          value={status ?? null}
          onChange={(value) => setFilters({ status: value ?? undefined })}
        />
        <ExportLink list="payouts" filters={{ batchId: batch.id, status }} />
      </div>
      <PayoutsTable
        list={list}
        isOfBatch
        empty={
          <EmptyState title={status ? 'None of its payouts matches' : 'It has no payouts'}>
            {status
              ? 'Choose another state or remove the filter.'
              : 'Nobody could be paid when it was created. Cancel it and create another one later.'}
          </EmptyState>
        }
      />
    </Stack>
  );
}
