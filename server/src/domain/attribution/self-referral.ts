/** Who a fact is about, and who acted. */
export interface Parties {
  readonly participantId: string;
  readonly actorParticipantId: string | null;
}

/** Who created a group: the actor of its signup. Null for a person, and where nobody is known. */
export type CreatorOf = (participantId: string) => string | null;

/**
 * Whether somebody would refer themselves: the participant, the actor, whoever created the
 * participant, or a group that one of these created (D-ATTR-4).
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
