import { type AppError, conflict, invalid, notFound } from '../../platform/kit/errors.ts';
import { participantDeleted } from '../participants/participant-slice.ts';
import { type IdentifyRefusal, KEYS_PER_HANDLE_MAX } from './decide-identify.ts';

const EXPLANATIONS: Record<IdentifyRefusal, () => AppError> = {
  expiry_out_of_range: () =>
    invalid('reference.expiresAt', 'must be in the future, and at most 90 days ahead'),
  not_a_handle: () => notFound('handle'),
  unknown_reference: () => notFound('reference key'),
  participant_deleted: participantDeleted,
  handle_already_identified: () =>
    conflict('handle_already_identified', 'This handle was identified before.'),
  reference_bound: () => conflict('reference_bound', 'This key stands for another handle.'),
  reference_expired: () => conflict('reference_expired', 'This key has expired.'),
  reference_resolved: () => conflict('reference_resolved', 'This key was resolved before.'),
  limit_reached: () =>
    conflict('limit_reached', `A handle carries at most ${KEYS_PER_HANDLE_MAX} keys.`),
};

/** The API error for a refusal. */
export function explainRefusal(refusal: IdentifyRefusal): AppError {
  return EXPLANATIONS[refusal]();
}
