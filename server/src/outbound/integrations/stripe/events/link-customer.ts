import { refKey } from '../../../../domain/participants/participant-slice.ts';
import { loadParticipants } from '../../../../domain/participants/queries.ts';
import { applyUpserts } from '../../../../domain/participants/upsert-participant.ts';
import type { ProjectWrite } from '../../../../platform/feed/writer/project-write.ts';
import type { StripeDeps } from '../stripe-deps.ts';
import { type Handled, judgeRefusal } from './handled.ts';
import type { StripeCustomer } from './stripe-fact.ts';

/**
 * A customer whose metadata names a participant becomes that participant's billing id, unless they
 * have one already or it belongs to somebody else: a value set by the project's backend takes
 * precedence.
 */
export async function linkCustomer(
  deps: Pick<StripeDeps, 'keyring' | 'onBilled'>,
  write: ProjectWrite,
  { customerId, participant }: StripeCustomer,
): Promise<Handled> {
  const slice = await loadParticipants(write.tx, deps.keyring, write.projectId, {
    refs: [participant],
    billingIds: [customerId],
  });
  const known = slice.byRef.get(refKey(participant));
  if (slice.billingHolders.has(customerId) || (known?.billingId ?? null) !== null) {
    return { state: 'ignored', reason: 'known_already' };
  }
  const [outcome] = await applyUpserts(deps, write, [{ participant, billingId: customerId }]);
  if (outcome && 'refused' in outcome) {
    return judgeRefusal(outcome.refused, write.now, write.now);
  }
  return { state: 'done', wakes: [] };
}
