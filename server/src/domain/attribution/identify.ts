import type { Handler } from '../../platform/feed/writer/project-write.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import { insertParticipants, introduceParticipant } from '../participants/insert-participants.ts';
import { loadParticipants } from '../participants/queries.ts';
import type { ParticipantRef } from '../participants/schema.ts';
import type { AttributionDeps } from './attribution-deps.ts';
import type { Identification, IdentifyCommand } from './decide-identify.ts';
import { explainRefusal } from './explain-refusal.ts';
import { foldIdentifies } from './fold-identifies.ts';
import { loadIdentities, saveIdentities } from './queries.ts';

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
