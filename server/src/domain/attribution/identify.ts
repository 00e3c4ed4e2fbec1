import type { Handler } from '../../platform/feed/writer/project-write.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import { AppError, conflict, invalid, notFound } from '../../platform/kit/errors.ts';
import { parseInstant } from '../../platform/kit/instant.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { participantDeleted } from '../participants/participant-slice.ts';
import type { ParticipantRef } from '../participants/schema.ts';
import {
  insertParticipants,
  introduceParticipant,
  loadParticipants,
} from '../participants/write-participants.ts';
import {
  type Identification,
  type IdentifyCommand,
  type IdentifyRefusal,
  KEYS_PER_HANDLE_MAX,
} from './decide-identify.ts';
import { foldIdentifies } from './fold-identifies.ts';
import { loadIdentities, saveIdentities } from './identities.ts';
import type { Identify } from './schema.ts';

const BATCH_MAX = 200;

/**
 * Records whose handle or key it is, or binds a key to a handle. Fails with INVALID_REQUEST,
 * NOT_FOUND, participant_deleted, handle_already_identified, reference_bound, reference_expired,
 * reference_resolved or limit_reached.
 */
export type IdentifyOperation = (
  request: WriteRequest,
  command: IdentifyCommand<ParticipantRef>,
) => Promise<Identification>;

export function makeIdentify(deps: AttributionDeps): IdentifyOperation {
  const handler: Handler<IdentifyCommand<ParticipantRef>, Identification> = {
    name: 'identify',
    batchMax: BATCH_MAX,
    repeatable: true,
    async run(write, batch) {
      const commands = batch.map(({ input }) => input);
      const [people, identities] = await Promise.all([
        loadParticipants(write.tx, deps.keyring, write.projectId, {
          refs: commands.flatMap((command) => ('person' in command ? command.person : [])),
        }),
        loadIdentities(write.tx, deps.keyring, write.projectId, {
          handles: commands.flatMap((command) => ('handle' in command ? command.handle : [])),
          keys: commands.flatMap((command) => ('key' in command ? command.key : [])),
        }),
      ]);
      const folded = foldIdentifies(people, identities, commands, write);
      insertParticipants(
        write,
        folded.created.map((participant) => introduceParticipant(write, participant)),
      );
      saveIdentities(write, identities);
      return folded.outcomes.map((outcome) => {
        if ('refused' in outcome) return { refused: explainRefusal(outcome.refused) };
        const { participantId } = outcome.identification;
        return {
          answer: outcome.identification,
          ...(participantId === null ? {} : { participantId }),
        };
      });
    },
  };
  return (request, command) => deps.writer.submit(handler, request, command);
}

export interface AttributionDeps {
  readonly writer: ProjectWriter;
  readonly keyring: Keyring;
}

const EXPLANATIONS: Record<IdentifyRefusal, () => AppError> = {
  expiry_out_of_range: () =>
    invalid('reference.expiresAt', 'must be in the future, and at most 90 days ahead'),
  not_a_handle: () => notFound('handle'),
  unknown_reference: () => notFound('reference key'),
  participant_deleted: participantDeleted,
  handle_already_identified: () =>
    conflict('handle_already_identified', 'This handle is already identified.'),
  reference_bound: () => conflict('reference_bound', 'This key is bound to another handle.'),
  reference_expired: () => conflict('reference_expired', 'This key has expired.'),
  reference_resolved: () => conflict('reference_resolved', 'This key is already resolved.'),
  limit_reached: () =>
    conflict('limit_reached', `A handle has at most ${KEYS_PER_HANDLE_MAX} keys.`),
};

/** The API error for a refusal. */
function explainRefusal(refusal: IdentifyRefusal): AppError {
  return EXPLANATIONS[refusal]();
}

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
