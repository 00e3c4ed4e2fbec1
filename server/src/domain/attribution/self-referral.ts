/** The participant of a fact, and who acted. */
export interface Parties {
  readonly participantId: string;
  readonly actorParticipantId: string | null;
}

/** The creator of a group: the actor of its signup. Null for a person, and if the creator is unknown. */
export type CreatorOf = (participantId: string) => string | null;

/**
 * Whether somebody would refer themselves: the referrer is the participant, the actor, the creator
 * of the participant, or a group that one of these created (D-ATTR-4).
 */
export function isSelfReferral(
  referrerId: string,
  { participantId, actorParticipantId }: Parties,
  creatorOf: CreatorOf,
): boolean {
  const own = [participantId, actorParticipantId, creatorOf(participantId)];
  const creatorId = creatorOf(referrerId);
  return own.includes(referrerId) || (creatorId !== null && own.includes(creatorId));
}
