import type { Handler, ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { emailKeysOf } from './email-keys.ts';
import { foldUpserts, type Upserted } from './fold-upserts.ts';
import type { Participant, UpsertParticipant } from './schema.ts';
import { replaceSearchKeys } from './search-key-store.ts';
import { releaseBillingIds, updateParticipants } from './store.ts';
import {
  insertParticipants,
  introduceParticipant,
  loadParticipants,
  type OnBilled,
  type ParticipantDeps,
} from './write-participants.ts';

const BATCH_MAX = 200;

/** Creates or updates a participant. Fails with participant_deleted or billing_id_taken. */
type UpsertParticipantOperation = (
  request: WriteRequest,
  input: UpsertParticipant,
) => Promise<Participant>;

export function makeUpsertParticipant(
  deps: Pick<ParticipantDeps, 'writer' | 'keyring' | 'onBilled'>,
): UpsertParticipantOperation {
  const handler: Handler<UpsertParticipant, Participant> = {
    name: 'upsert_participant',
    batchMax: BATCH_MAX,
    repeatable: true,
    async run(write, commands) {
      const inputs = commands.map(({ input }) => input);
      const upserted = await applyUpserts(deps, write, inputs);
      return upserted.map((outcome) =>
        'refused' in outcome
          ? outcome
          : { answer: outcome.participant, participantId: outcome.participant.id },
      );
    },
  };
  return (request, input) => deps.writer.submit(handler, request, input);
}

/** The result that the operation would have, as part of a larger transaction; saves nothing. */
export async function previewUpsert(
  { keyring }: { readonly keyring: Keyring },
  write: ProjectWrite,
  input: UpsertParticipant,
): Promise<Upserted> {
  const slice = await loadParticipants(write.tx, keyring, write.projectId, {
    refs: [input.participant],
    billingIds: input.billingId ? [input.billingId] : [],
  });
  const [outcome] = foldUpserts(slice, [input], write).outcomes;
  return outcome as Upserted;
}

/** Like the operation, for several participants and as part of a larger transaction. */
export async function applyUpserts(
  { keyring, onBilled }: { readonly keyring: Keyring; readonly onBilled: OnBilled },
  write: ProjectWrite,
  inputs: readonly UpsertParticipant[],
): Promise<readonly Upserted[]> {
  const slice = await loadParticipants(write.tx, keyring, write.projectId, {
    refs: inputs.map(({ participant }) => participant),
    billingIds: inputs.flatMap(({ billingId }) => billingId ?? []),
  });
  const folded = foldUpserts(slice, inputs, write);
  const withKeys = <P extends Participant>(participant: P) => ({
    ...participant,
    ...emailKeysOf(keyring, write.projectId, participant.email),
  });
  // A billing id may move from one participant to another within the batch: release first, then
  // assign.
  releaseBillingIds(write.tx, write.projectId, folded.releasing);
  insertParticipants(
    write,
    folded.created.map((participant) => withKeys(introduceParticipant(write, participant))),
  );
  updateParticipants(write.tx, write.projectId, write.now, folded.changed.map(withKeys));
  replaceSearchKeys(write.tx, write.projectId, folded.renamed);
  if (folded.billed.length > 0) onBilled(write, folded.billed);
  return folded.outcomes;
}
