import { participantDeleted, refKey } from '../../../../domain/participants/participant-slice.ts';
import { loadParticipants } from '../../../../domain/participants/write-participants.ts';
import { recordCard } from '../../../../domain/risk/cards/record-card.ts';
import { notFound } from '../../../../platform/kit/errors.ts';
import { waits } from '../parked/parked.ts';
import { takeParkedCards } from './event-store.ts';
import { findPerson } from './find-person.ts';
import type { Handled, Handling } from './handled.ts';
import type { Payer, StripeCard } from './stripe-fact.ts';

/** A card is recorded of people who are known. It makes nobody known. */
export async function handleCard(
  { deps, write, person }: Handling,
  { payer, cardHash }: Pick<StripeCard, 'payer' | 'cardHash'>,
): Promise<Handled> {
  const found = person ? { person } : await findPerson(write, deps.keyring, payer);
  if ('handled' in found) return found.handled;
  const slice = await loadParticipants(write.tx, deps.keyring, write.projectId, {
    refs: [found.person],
  });
  const key = refKey(found.person);
  const known = slice.byRef.get(key);
  if (!known) {
    return slice.erased.has(key)
      ? { state: 'ignored', reason: 'participant_deleted', refusal: participantDeleted() }
      : { state: 'ignored', reason: 'no_fact', refusal: notFound('participant') };
  }
  recordCard(write, known.id, cardHash);
  return { state: 'done', wakes: [] };
}

/**
 * A charge names only its customer and often arrives before the invoice or the subscription, whose metadata names the
 * participant: nothing else would ever tell whose card that was.
 */
export async function recordParkedCards(handling: Handling, payer: Payer): Promise<void> {
  if (payer.customerId === null || !payer.participant) return;
  const { tx, projectId } = handling.write;
  const hashes = await takeParkedCards(tx, projectId, waits.customer(payer.customerId));
  for (const cardHash of hashes) await handleCard(handling, { payer, cardHash });
}
