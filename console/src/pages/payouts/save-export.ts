import { api } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import { notifyFailed } from '../../ui/notify.ts';
import { saveText } from '../../ui/save-text.ts';

/** Downloads the open transfers of a batch. */
export async function saveExport(
  projectId: string,
  batchId: string,
  layout: 'bank' | 'paypal',
): Promise<void> {
  try {
    const { data, error, response } = await api.GET('/v1/payout-batches/{batchId}/export', {
      params: { path: { batchId }, query: { projectId, layout } },
      parseAs: 'text',
    });
    if (!response.ok) throw toApiError(response, error);
    saveText(`${batchId}-${layout}.csv`, String(data ?? ''));
  } catch (fault) {
    notifyFailed('There is no file', fault);
  }
}
