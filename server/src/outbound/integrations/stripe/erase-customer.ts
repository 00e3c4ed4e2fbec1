import { findParticipant } from '../../../domain/participants/find-participant.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import {
  deleteErasedCustomer,
  deleteParkedOf,
  insertErasedCustomer,
} from './events/event-store.ts';
import { waits } from './parked/parked.ts';

/** By which a customer is recognised whose id is not to be kept. */
export function hashCustomer(keyring: Keyring, projectId: string, customerId: string): string {
  return keyring.hmac('stripe-customer', `${projectId}\n${customerId}`).toString('base64url');
}

/**
 * Forgets what is parked about somebody who is erased, and lets nothing be parked about them again:
 * Stripe may go on sending events of its customer.
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

/** What Stripe sends of the customer of somebody who starts anew is kept again. */
export function readmitCustomer({ tx, projectId }: ProjectWrite, participantId: string): void {
  deleteErasedCustomer(tx, projectId, participantId);
}
