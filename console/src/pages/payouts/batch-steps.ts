import type { Step } from '../../ui/step-line.tsx';
import type { BatchDetail } from './states.ts';

type Shown = Pick<
  BatchDetail,
  'status' | 'createdAt' | 'approvedAt' | 'submittedAt' | 'cancelledAt' | 'payoutsByStatus'
>;

/** The progress of a batch: drafted, approved, submitted, and the result of each payout. */
export function batchSteps(batch: Shown): Step[] {
  const { status, approvedAt, submittedAt, cancelledAt } = batch;
  const drafted: Step =
    status === 'reserving'
      ? { label: 'Being drafted', state: 'now' }
      : { label: 'Drafted', state: 'done', at: batch.createdAt };
  const approved: Step = approvedAt
    ? { label: 'Approved', state: 'done', at: approvedAt }
    : { label: 'Approved', state: status === 'draft' || status === 'approving' ? 'now' : 'next' };
  if (status === 'cancelled' || status === 'cancelling') {
    return [
      drafted,
      ...(approvedAt ? [approved] : []),
      { label: 'Cancelled', state: 'bad', at: cancelledAt },
    ];
  }
  const submitted: Step = submittedAt
    ? { label: 'Submitted', state: 'done', at: submittedAt }
    : {
        label: 'Submitted',
        state: status === 'approved' || status === 'submitting' ? 'now' : 'next',
      };
  return [drafted, approved, submitted, results(batch)];
}

function results({ status, payoutsByStatus }: Shown): Step {
  if (status !== 'submitted') return { label: 'Paid', state: 'next' };
  const countOf = (one: string) => payoutsByStatus.find((row) => row.status === one)?.count ?? 0;
  if (countOf('processing') > 0) return { label: 'Paid', state: 'now' };
  const isTrouble = countOf('failed') + countOf('returned') > 0;
  return { label: isTrouble ? 'Paid, except some' : 'Paid', state: 'done' };
}
