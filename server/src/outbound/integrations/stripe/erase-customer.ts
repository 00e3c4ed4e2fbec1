import { findParticipant } from '../../../domain/participants/queries.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import {
  deleteErasedCustomer,
  deleteParkedOf,
  insertErasedCustomer,
} from './events/event-store.ts';
import { waits } from './parked/parked.ts';

/** Identifies a customer whose id must not be stored. */
export function hashCustomer(keyring: Keyring, projectId: string, customerId: string): string {
  return keyring.hmac('stripe-customer', `${projectId}\n${customerId}`).toString('base64url');
}

/**
 * Deletes what is parked about an erased participant and prevents further parking: Stripe may go on
 * sending events of its customer.
 */
export async function eraseCustomer(
  { tx, projectId }: ProjectWrite,
  keyring: Keyring,
  participantId: string,
): Promise<void> {
  const billingId = (await findParticipant(tx, projectId, participantId))?.billingId ?? null;
  if (billingId === null) return;
  deleteParkedOf(tx, projectId, waits.customer(billingId));
  insertErasedCustomer(tx, projectId, hashCustomer(keyring, projectId, billingId), participantId);
}

/** Accepts events of the customer again after the participant has started anew. */
export function readmitCustomer({ tx, projectId }: ProjectWrite, participantId: string): void {
  deleteErasedCustomer(tx, projectId, participantId);
}
