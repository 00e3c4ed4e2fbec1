import { AppError } from '../../platform/kit/errors.ts';
import { parseInstant } from '../../platform/kit/instant.ts';
import type { ParticipantRef } from '../participants/schema.ts';
import type { IdentifyCommand } from './decide-identify.ts';
import type { Identify } from './schema.ts';

const ISSUE = 'must name exactly two of handle, participant and reference';

/** One of the three shapes. Fails with INVALID_REQUEST for any other combination. */
export function parseIdentify(body: Identify): IdentifyCommand<ParticipantRef> {
  const { handle, participant: person, reference } = body;
  if (handle && person && !reference) return { shape: 'handle_person', handle, person };
  if (handle && !person && reference) {
    const { key, expiresAt } = reference;
    const end = expiresAt ? (parseInstant(expiresAt) ?? null) : null;
    return { shape: 'handle_key', handle, key, expiresAt: end };
  }
  if (!handle && person && reference) return { shape: 'key_person', key: reference.key, person };
  throw new AppError('INVALID_REQUEST', `Invalid request: the body ${ISSUE}.`, {
    details: [{ path: '', issue: ISSUE }],
  });
}
