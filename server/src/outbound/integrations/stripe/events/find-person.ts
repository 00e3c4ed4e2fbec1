import { findBilled } from '../../../../domain/participants/queries.ts';
import type { ParticipantRef } from '../../../../domain/participants/schema.ts';
import type { ProjectWrite } from '../../../../platform/feed/writer/project-write.ts';
import type { Keyring } from '../../../../platform/kit/keyring.ts';
import { hashCustomer } from '../erase-customer.ts';
import { waits } from '../parked/parked.ts';
import { isErasedCustomer } from './event-store.ts';
import type { Handled } from './handled.ts';
import type { Payer } from './stripe-fact.ts';

/** The participant that something is about, or what to do if it is about nobody we know. */
export async function findPerson(
  { tx, projectId }: ProjectWrite,
  keyring: Keyring,
  { customerId, participant }: Payer,
): Promise<{ readonly person: ParticipantRef } | { readonly handled: Handled }> {
  if (customerId === null) {
    return participant
      ? { person: participant }
      : { handled: { state: 'ignored', reason: 'no_fact' } };
  }
  const billed = await findBilled(tx, projectId, customerId);
  // Facts cannot name a partner.
  if (billed && billed.externalId !== null) {
    return { person: { kind: billed.kind, externalId: billed.externalId } };
  }
  if (participant) return { person: participant };
  if (await isErasedCustomer(tx, projectId, hashCustomer(keyring, projectId, customerId))) {
    return { handled: { state: 'ignored', reason: 'participant_deleted' } };
  }
  const waitsFor = waits.customer(customerId);
  return { handled: { state: 'parked', reason: 'unknown_customer', waitsFor } };
}
