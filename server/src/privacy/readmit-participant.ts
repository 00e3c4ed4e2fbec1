import type { WriteRequest } from '../http/principal.ts';
import { readmitCustomer } from '../integrations/stripe/erase-customer.ts';
import { liftTombstone } from '../participants/lift-tombstone.ts';
import type { Participant } from '../participants/schema.ts';
import { recordAudit } from '../workspaces/record-audit.ts';
import type { PrivacyDeps } from './erase-participant.ts';

/**
 * Lets somebody who was erased start anew, under the same external id and at the same Stripe
 * customer, as a new participant. Ends with NOT_FOUND, or CONFLICT `participant_not_deleted`
 * or `no_tombstone`.
 */
export function readmitParticipant(
  { writer }: Pick<PrivacyDeps, 'writer'>,
  request: WriteRequest,
  participantId: string,
): Promise<Participant> {
  return writer.run(request, async (write) => {
    const { participant, isLifted } = await liftTombstone(write, participantId);
    if (isLifted) {
      readmitCustomer(write, participantId);
      recordAudit(write, request, {
        action: 'participant.readmit',
        targetType: 'participant',
        targetId: participantId,
        changes: {},
      });
    }
    return { answer: participant };
  });
}
