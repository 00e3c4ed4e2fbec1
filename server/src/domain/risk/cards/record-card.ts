import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { insertCards } from '../store.ts';

/** A keyed hash of the fingerprint by which a payment provider recognises a card. */
export function hashCard(keyring: Keyring, projectId: string, fingerprint: string): string {
  return keyring.hmac('risk-card', `${projectId}\n${fingerprint}`).toString('base64url');
}

/** Records that somebody, who must not be erased, paid with a card. */
export function recordCard(
  { tx, projectId, now }: Pick<ProjectWrite, 'tx' | 'projectId' | 'now'>,
  participantId: string,
  cardHash: string,
): void {
  insertCards(tx, projectId, [{ participantId, cardHash, seenAt: now }]);
}
