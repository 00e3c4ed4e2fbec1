import { recordAudit } from '../../accounts/workspaces/audit-log.ts';
import { liftTombstone } from '../../domain/participants/erase-records.ts';
import type { Participant } from '../../domain/participants/schema.ts';
import { readmitCustomer } from '../../outbound/integrations/stripe/erase-customer.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import type { PrivacyDeps } from './erase-participant.ts';

/**
 * Allows an erased person to start again, under the same external id and Stripe customer, as a new
 * participant. Fails with NOT_FOUND, or CONFLICT `participant_not_deleted` or `no_tombstone`.
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
