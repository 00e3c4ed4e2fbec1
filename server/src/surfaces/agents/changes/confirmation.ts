import { canonicalJson } from '../../../platform/kit/canonical-json.ts';
import { AppError } from '../../../platform/kit/errors.ts';
import { addMs, type Instant } from '../../../platform/kit/instant.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';

/** How long a preview can be confirmed. */
const VALID_MS = 10 * 60_000;

/** What a token confirms: nothing else than exactly this. */
export interface Change {
  readonly keyId: string;
  readonly projectId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What a token contains. */
interface Confirmed {
  readonly id: string;
  /** Arguments that the change has in addition, by the state that the preview showed. */
  readonly pinned: Readonly<Record<string, unknown>>;
}

export interface Confirmation {
  readonly confirmationToken: string;
  readonly expiresAt: Instant;
}

/**
 * A sealed token for one change. Every process can open it, so none is stored. `id` is unique: the
 * change is made under it as idempotency key, so that it happens once however often it is confirmed.
 */
export function offerConfirmation(
  keyring: Keyring,
  change: Change,
  { id, pinned, now }: Confirmed & { readonly now: Instant },
): Confirmation {
  const expiresAt = addMs(now, VALID_MS);
  const text = JSON.stringify([id, expiresAt, pinned]);
  return {
    confirmationToken: keyring.seal('agent-confirmation', text, contextOf(change)),
    expiresAt,
  };
}

/** What the token of a confirmed change contains. Fails for a token of another change, and for one that has expired. */
export function openConfirmation(
  keyring: Keyring,
  token: string,
  change: Change,
  now: Instant,
): Confirmed {
  const opened = tryOpen(keyring, token, change);
  if (!opened) {
    throw refuse(
      'confirmation_invalid',
      'is not a token for this change. It must come from a preview by the same key, of the same tool, with exactly the same arguments',
    );
  }
  const [id, expiresAt, pinned] = opened;
  if (now >= expiresAt) {
    throw refuse('confirmation_expired', 'has expired. Call again without it for a new preview');
  }
  return { id, pinned };
}

type Opened = [id: string, expiresAt: Instant, pinned: Confirmed['pinned']];

function tryOpen(keyring: Keyring, token: string, change: Change): Opened | undefined {
  try {
    return JSON.parse(keyring.open('agent-confirmation', token, contextOf(change)));
  } catch {
    return undefined;
  }
}

function contextOf({ keyId, projectId, tool, args }: Change): string {
  return canonicalJson([keyId, projectId, tool, args]);
}

function refuse(reason: string, issue: string): AppError {
  return new AppError('INVALID_REQUEST', `Invalid request: confirmationToken ${issue}.`, {
    reason,
    details: [{ path: 'confirmationToken', issue }],
  });
}
