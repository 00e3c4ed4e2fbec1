import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { BanIcon, CheckIcon, DownloadIcon, SendIcon, UploadIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay, useSession } from '../../app/session.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { countOf } from '../../ui/words.ts';
import { settingsQuery, useRefreshPayouts } from './queries.ts';
import { ResultsUpload } from './results-upload.tsx';
import { saveExport } from './save-export.ts';
import { type Batch, type BatchDetail, METHODS } from './states.ts';
import { payoutCountOf, sumsOf } from './totals.ts';

type Step = 'approve' | 'submit' | 'cancel';

/** The actions possible for a batch in its state, by role. */
export function BatchActions({ batch }: { batch: BatchDetail }) {
  const project = useProject();
  const mayPay = useMay('payouts:write');
  const refresh = useRefreshPayouts(project.id);
  const needsOther = useNeedsOther(batch);
  const [asked, setAsked] = useState<Step | null>(null);
  const [isUploading, setUploading] = useState(false);
  if (!mayPay) return null;
  const { status, method } = batch;
  const isByHand = method === 'manual_export';
  const isDue = batch.payoutsByStatus.some((one) => one.status === 'processing');
  const isFinal = status === 'approved' || status === 'submitting' || status === 'submitted';
  const take = async (step: Step) => {
    const init = { params: { path: { batchId: batch.id } }, body: { projectId: project.id } };
    if (step === 'approve') await answerOf(api.POST('/v1/payout-batches/{batchId}/approve', init));
    if (step === 'submit') await answerOf(api.POST('/v1/payout-batches/{batchId}/submit', init));
    if (step === 'cancel') await answerOf(api.POST('/v1/payout-batches/{batchId}/cancel', init));
    return step;
  };
  const taken = (step: Step) => {
    void refresh();
    notifyDone({ approve: 'Approved', submit: 'Submitted', cancel: 'Cancelled' }[step]);
  };
  const close = () => setAsked(null);
  return (
    <>
      {(status === 'draft' || status === 'approved' || status === 'reserving') && (
        <Button
          variant="default"
          leftSection={<BanIcon size={16} />}
          onClick={() => setAsked('cancel')}
        >
          Cancel batch
        </Button>
      )}
      {isByHand && isFinal && (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <Button variant="default" leftSection={<DownloadIcon size={16} />}>
              Transfer file
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>Has account numbers in clear; noted in the audit log</Menu.Label>
            <Menu.Item onClick={() => void saveExport(project.id, batch.id, 'bank')}>
              For your bank or a spreadsheet
            </Menu.Item>
            <Menu.Item onClick={() => void saveExport(project.id, batch.id, 'paypal')}>
              For PayPal mass payments
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {isByHand && status === 'submitted' && (
        <Button
          variant={isDue ? 'filled' : 'default'}
          leftSection={<UploadIcon size={16} />}
          onClick={() => setUploading(true)}
        >
          Upload results
        </Button>
      )}
      {status === 'draft' && !needsOther && payoutCountOf(batch) > 0 && (
        <Button leftSection={<CheckIcon size={16} />} onClick={() => setAsked('approve')}>
          Approve
        </Button>
      )}
      {status === 'approved' && (
        <Button leftSection={<SendIcon size={16} />} onClick={() => setAsked('submit')}>
          Submit
        </Button>
      )}
      <Confirm
        opened={asked === 'approve'}
        onClose={close}
        title="Approve this batch?"
        action={`Approve ${countOf(payoutCountOf(batch), 'transfer')}`}
        onConfirm={() => take('approve')}
        onDone={taken}
      >
        <p>
          <InNumbers batch={batch} /> Amounts are recalculated and are then final. Later refunds and
          voids are deducted from the next payout. Payees who are now below the minimum are left
          out.
        </p>
        <p>No money moves yet.</p>
      </Confirm>
      <Confirm
        opened={asked === 'submit'}
        onClose={close}
        title="Submit this batch?"
        action={`Submit ${countOf(payoutCountOf(batch), 'transfer')}`}
        isDangerous={!isByHand && project.environment === 'live'}
        onConfirm={() => take('submit')}
        onDone={taken}
      >
        <p>
          <InNumbers batch={batch} /> This cannot be undone.
        </p>
        <p>
          {isByHand
            ? 'Goodword sends no money here: make the transfers from the file, then upload the results.'
            : `${METHODS[method].label} will make these transfers now${
                project.environment === 'live' ? ', with real money' : ', in its sandbox'
              }.`}
        </p>
      </Confirm>
      <Confirm
        opened={asked === 'cancel'}
        onClose={close}
        title="Cancel this batch?"
        action="Cancel the batch"
        isDangerous
        onConfirm={() => take('cancel')}
        onDone={taken}
      >
        <p>
          <InNumbers batch={batch} /> Nobody is paid. The rewards go into the next batch.
        </p>
      </Confirm>
      {isUploading && <ResultsUpload batch={batch} onClose={() => setUploading(false)} />}
    </>
  );
}

/** Whether somebody other than the current user has to approve the batch. */
export function useNeedsOther({ createdBy }: Batch): boolean {
  const { workspaceId } = useProject();
  const { user } = useSession();
  const { data } = useQuery(settingsQuery(workspaceId));
  return (data?.requireSecondApprover ?? false) && createdBy === `user:${user.id}`;
}

/** The number of people and transfers, and the amounts. */
function InNumbers({ batch }: { batch: BatchDetail }): ReactNode {
  const count = payoutCountOf(batch);
  if (count === 0) return 'It has no transfers.';
  // The payees of other projects are not known here.
  const people =
    batch.projectIds.length === 1 ? ` to ${countOf(batch.payeeCount, 'person', 'people')}` : '';
  return (
    <>
      It has <b>{`${countOf(count, 'transfer')}${people}`}</b>, <b>{sumsOf(batch.totals)}</b> in all
      {batch.projectIds.length > 1 ? ` over ${batch.projectIds.length} projects` : ''}.
    </>
  );
}
