import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import { holdPartner } from '../../../domain/partners/suspend-partner.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { invalidRequest } from '../../../platform/http/routes/validate.ts';
import { invalid, noSuch } from '../../../platform/kit/errors.ts';
import { toInstant } from '../../../platform/kit/instant.ts';
import type { DetailsDeps } from '../payout-deps.ts';
import type { DetailsOwner } from './details.ts';
import { type PayoutDetails, type PayoutDetailsIn, presentDetails } from './details-schema.ts';
import { listDetails } from './details-store.ts';
import { readDetails } from './read-details.ts';
import { saveDetails } from './save-details.ts';

type PartnerDetailsDeps = Pick<DetailsDeps, 'database' | 'clock' | 'newId' | 'keyring'>;

function ownerOf(partnerId: string): DetailsOwner {
  return { kind: 'partner', projectId: '', id: partnerId };
}

/** A partner's saved details, masked. */
export async function showPartnerDetails(
  deps: Pick<PartnerDetailsDeps, 'database' | 'clock'>,
  partnerId: string,
): Promise<PayoutDetails> {
  const owner = ownerOf(partnerId);
  const records = await listDetails(deps.database.reads, owner.projectId, owner.kind, [owner.id]);
  return presentDetails(records, toInstant(deps.clock.nowMs()));
}

/**
 * Saves where a partner is paid for all its projects. A partner has no project clock, so its
 * changes wait in real time. Fails with INVALID_REQUEST, or NOT_FOUND for an erased partner.
 */
export async function savePartnerDetails(
  { database, clock, newId, keyring }: PartnerDetailsDeps,
  request: Omit<WriteRequest, 'workspaceId' | 'projectId'>,
  partnerId: string,
  input: PayoutDetailsIn,
): Promise<PayoutDetails> {
  const reading = readDetails(input);
  if ('issues' in reading) throw invalidRequest(reading.issues, 'body');
  const { details } = reading;
  if (details.type === 'stripe_connect') {
    throw invalid('details.type', 'cannot be stripe_connect for a partner');
  }
  const now = toInstant(clock.nowMs());
  return database.transaction(async (tx) => {
    const partner = await holdPartner(tx, partnerId);
    if (!partner) throw noSuch('partner');
    const { workspaceId } = partner;
    const write = { tx, now, newId };
    const owner = ownerOf(partnerId);
    const saving = { workspaceId, details };
    const { shown, isChange } = await saveDetails(write, keyring, owner, saving);
    if (isChange) {
      const asked = { ...request, workspaceId, projectId: '' };
      recordAudit(write, asked, {
        action: 'payout_details.save',
        targetType: 'partner',
        targetId: partnerId,
        changes: { type: details.type },
      });
    }
    return shown;
  });
}
