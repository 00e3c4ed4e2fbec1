import type { Keyring } from '../../platform/kit/keyring.ts';
import { networkOf } from './read-visit.ts';

/** A keyed hash of the network of an address; null without one. */
export function hashNetworkOf(
  keyring: Keyring,
  projectId: string,
  ip: string | null,
): string | null {
  const network = ip === null ? null : networkOf(ip);
  return network && hashNetwork(keyring, projectId, network);
}

/** Of a network as `networkOf` writes it. */
export function hashNetwork(keyring: Keyring, projectId: string, network: string): string {
  return keyring.hmac('network', `${projectId}\n${network}`).toString('base64url');
}
