import { addMs, DAY_MS, type Instant } from '../../platform/kit/instant.ts';

export const KEYS_PER_HANDLE_MAX = 20;
export const KEY_LIFE_MS = DAY_MS;
export const KEY_LIFE_MAX_MS = 90 * DAY_MS;

/** Closed once `identifiedAt` is set, even without a participant: then the participant was erased. */
export interface Handle {
  readonly id: string;
  readonly participantId: string | null;
  readonly identifiedAt: Instant | null;
}

export interface Reference {
  readonly key: string;
  readonly handleId: string;
  readonly expiresAt: Instant;
  readonly participantId: string | null;
  readonly resolvedAt: Instant | null;
}

/**
 * The handles and keys that the commands of one batch name, as changed by the previous commands.
 * `identify` works on it; `saveIdentities` saves what `changed` lists.
 */
export interface IdentitySlice {
  readonly handles: Map<string, Handle>;
  readonly references: Map<string, Reference>;
  /** Number of keys of a handle, including used and expired ones. */
  readonly keyCounts: Map<string, number>;
  readonly changed: { readonly handles: Set<string>; readonly references: Set<string> };
}

/** The three shapes; `P` is the type that identifies the person. */
export type IdentifyCommand<P> =
  | { readonly shape: 'handle_person'; readonly handle: string; readonly person: P }
  | {
      readonly shape: 'handle_key';
      readonly handle: string;
      readonly key: string;
      readonly expiresAt: Instant | null;
    }
  | { readonly shape: 'key_person'; readonly key: string; readonly person: P };

type CommandOf<S extends IdentifyCommand<unknown>['shape']> = Extract<
  IdentifyCommand<string | null>,
  { shape: S }
>;

/** Without the key itself: responses are stored for a day, and a key may reveal a person's identity. */
export interface Identification {
  readonly identified: boolean;
  readonly participantId: string | null;
  readonly identifiedAt: Instant | null;
  readonly reference: {
    readonly status: 'pending' | 'resolved';
    readonly expiresAt: Instant;
    readonly resolvedAt: Instant | null;
  } | null;
}

export type IdentifyRefusal =
  | 'expiry_out_of_range'
  | 'not_a_handle'
  | 'unknown_reference'
  | 'participant_deleted'
  | 'handle_already_identified'
  | 'reference_bound'
  | 'reference_expired'
  | 'reference_resolved'
  | 'limit_reached';

export type IdentifyOutcome =
  | { readonly identification: Identification }
  | { readonly refused: IdentifyRefusal };

/** `person` is a participant's id, or null if they were erased. A refusal leaves the slice unchanged. */
export function identify(
  slice: IdentitySlice,
  command: IdentifyCommand<string | null>,
  now: Instant,
): IdentifyOutcome {
  switch (command.shape) {
    case 'handle_person':
      return nameHandle(slice, command, now);
    case 'handle_key':
      return bindKey(slice, command, now);
    case 'key_person':
      return resolveKey(slice, command, now);
  }
}

function nameHandle(
  slice: IdentitySlice,
  { handle: handleId, person }: CommandOf<'handle_person'>,
  now: Instant,
): IdentifyOutcome {
  const handle = slice.handles.get(handleId);
  if (!handle) return { refused: 'not_a_handle' };
  if (person === null) return { refused: 'participant_deleted' };
  const claimed = claimHandle(slice, handle, person, now);
  if (!claimed) return { refused: 'handle_already_identified' };
  return {
    identification: {
      identified: true,
      participantId: person,
      identifiedAt: claimed.identifiedAt,
      reference: null,
    },
  };
}

function bindKey(
  slice: IdentitySlice,
  { handle: handleId, key, expiresAt }: CommandOf<'handle_key'>,
  now: Instant,
): IdentifyOutcome {
  const known = slice.references.get(key);
  // A known key keeps its first expiry, so the one in a repeated request is ignored.
  if (!known && !isPossibleEnd(expiresAt, now)) return { refused: 'expiry_out_of_range' };
  const handle = slice.handles.get(handleId);
  if (!handle) return { refused: 'not_a_handle' };
  if (known) {
    if (known.resolvedAt !== null) return { refused: 'reference_resolved' };
    if (known.expiresAt <= now) return { refused: 'reference_expired' };
    if (known.handleId !== handleId) return { refused: 'reference_bound' };
  }
  if (handle.identifiedAt !== null) return { refused: 'handle_already_identified' };
  if (known) return { identification: pending(known) };
  const carried = slice.keyCounts.get(handleId) ?? 0;
  if (carried >= KEYS_PER_HANDLE_MAX) return { refused: 'limit_reached' };
  const bound: Reference = {
    key,
    handleId,
    expiresAt: expiresAt ?? addMs(now, KEY_LIFE_MS),
    participantId: null,
    resolvedAt: null,
  };
  slice.keyCounts.set(handleId, carried + 1);
  putReference(slice, bound);
  return { identification: pending(bound) };
}

function resolveKey(
  slice: IdentitySlice,
  { key, person }: CommandOf<'key_person'>,
  now: Instant,
): IdentifyOutcome {
  const reference = slice.references.get(key);
  if (!reference) return { refused: 'unknown_reference' };
  if (person === null) return { refused: 'participant_deleted' };
  const handle = slice.handles.get(reference.handleId);
  if (reference.resolvedAt !== null) {
    return reference.participantId === person
      ? { identification: resolved(reference, handle) }
      : { refused: 'reference_resolved' };
  }
  if (reference.expiresAt <= now) return { refused: 'reference_expired' };
  // Handles are purged some time after they expire; a key that was bound late can outlive its
  // handle.
  if (!handle) return { refused: 'not_a_handle' };
  const claimed = claimHandle(slice, handle, person, now);
  if (!claimed) return { refused: 'handle_already_identified' };
  const done: Reference = { ...reference, participantId: person, resolvedAt: now };
  putReference(slice, done);
  return { identification: resolved(done, claimed) };
}

/** Assigns the handle to this person, unless it already is theirs; undefined if it is somebody else's. */
function claimHandle(
  slice: IdentitySlice,
  handle: Handle,
  participantId: string,
  now: Instant,
): Handle | undefined {
  if (handle.identifiedAt !== null) {
    return handle.participantId === participantId ? handle : undefined;
  }
  const claimed: Handle = { ...handle, participantId, identifiedAt: now };
  slice.handles.set(handle.id, claimed);
  slice.changed.handles.add(handle.id);
  return claimed;
}

function putReference(slice: IdentitySlice, reference: Reference): void {
  slice.references.set(reference.key, reference);
  slice.changed.references.add(reference.key);
}

function isPossibleEnd(expiresAt: Instant | null, now: Instant): boolean {
  return expiresAt === null || (expiresAt > now && expiresAt <= addMs(now, KEY_LIFE_MAX_MS));
}

function pending({ expiresAt }: Reference): Identification {
  return {
    identified: false,
    participantId: null,
    identifiedAt: null,
    reference: { status: 'pending', expiresAt, resolvedAt: null },
  };
}

/** The handle may have been identified before the key was resolved. */
function resolved(reference: Reference, handle: Handle | undefined): Identification {
  const { participantId, expiresAt, resolvedAt } = reference;
  return {
    identified: true,
    participantId,
    identifiedAt: handle?.identifiedAt ?? resolvedAt,
    reference: { status: 'resolved', expiresAt, resolvedAt },
  };
}
