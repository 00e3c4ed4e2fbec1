import type { components } from '@goodword/sdk';
import { type Finding, ok, problem, warning } from './finding.ts';

export type ApiKey = components['schemas']['ApiKey'];

const SOON_MS = 14 * 86_400_000;

/** Finds the key of GOODWORD_KEY among the service's keys, by its stored part. */
export function checkKey(key: string, known: readonly ApiKey[], nowMs: number): Finding {
  const found = known.find(({ prefix, last4 }) => key.startsWith(prefix) && key.endsWith(last4));
  const anew = 'To create another: goodword keys create --help';
  if (!found) return problem('GOODWORD_KEY', 'is not a key of this service', anew);
  const { name, environment, permissions, expiresAt, revokedAt } = found;
  if (revokedAt !== null) return problem('GOODWORD_KEY', `“${name}” was revoked`, anew);
  if (expiresAt !== null && Date.parse(expiresAt) <= nowMs) {
    return problem('GOODWORD_KEY', `“${name}” expired at ${expiresAt}`, anew);
  }
  if (expiresAt !== null && Date.parse(expiresAt) <= nowMs + SOON_MS) {
    return warning(
      'GOODWORD_KEY',
      `“${name}” expires at ${expiresAt}`,
      `goodword keys rotate ${found.id}`,
    );
  }
  return ok('GOODWORD_KEY', `“${name}”, ${environment}, may ${permissions.join(', ')}`);
}
