import type { KnownPerson } from './participant-slice.ts';

/**
 * The subject of a Partner's figures by day in one Program. It is one of its own, because all figures of a
 * participant are loaded for decisions, and the days grow in number.
 */
export function daysOf(participantId: string, programId: string): string {
  return `${participantId}:${programId}`;
}

/** The participant that a subject of days belongs to. */
export function ownerOfDays(subject: string): string {
  return subject.slice(0, subject.indexOf(':'));
}

/**
 * Whether somebody's days are counted: a Partner's, until it is erased. A Partner's participant has no
 * external id and is a Partner's from its creation on, so nobody becomes one later.
 */
export function isPartner({
  externalId,
  deletedAt,
}: Pick<KnownPerson, 'externalId' | 'deletedAt'>): boolean {
  return externalId === null && deletedAt === null;
}
