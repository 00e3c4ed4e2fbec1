import { linksOf } from '../../../domain/clicks/links/click-counter.ts';
import { findLinksById } from '../../../domain/participants/names/queries.ts';
import { findParticipants } from '../../../domain/participants/queries.ts';
import { findProgramNames } from '../../../domain/programs/queries.ts';
import { findTop } from '../../../platform/figures/figures.ts';
import type { Permission } from '../../../platform/http/access/permissions.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { namePartners, type ViewDeps } from '../show-participant.ts';
import type { TopLink } from './figure-schema.ts';
import { presentResults } from './present-money.ts';

interface TopAsked {
  /** Null for all. */
  readonly programId: string | null;
  readonly limit: number;
}

/**
 * The links with the most referrals, in one program or in all. Read from figures alone: the cost depends
 * on the page size and the number of programs. Fails with NOT_FOUND for an unknown program.
 */
export function listTopLinks(
  deps: Pick<ViewDeps, 'database'>,
  projectId: string,
  may: (permission: Permission) => boolean,
  { programId, limit }: TopAsked,
): Promise<TopLink[]> {
  return deps.database.snapshot(async (tx) => {
    const all = await findProgramNames(tx, projectId);
    if (programId !== null && !all.has(programId)) throw notFound('program');
    const programs = [...all.keys()].filter((id) => programId === null || id === programId);
    const programOf = new Map(programs.map((id) => [linksOf(id), id]));
    const top = await findTop(tx, projectId, [...programOf.keys()], limit);
    const ids = top.map(({ subject }) => subject);
    const links = await findLinksById(tx, projectId, ids);
    const owners = [...new Set([...links.values()].map(({ participantId }) => participantId))];
    const found = await findParticipants(tx, projectId, owners);
    const named = await namePartners(tx, may, [...found.values()]);
    const people = new Map(named.map((person) => [person.id, person]));
    return top.map(({ subject: linkId, part, referrals, figures }) => {
      const link = links.get(linkId);
      const person = people.get(link?.participantId ?? '');
      if (!link || !person) throw new Error(`Figures count referrals of unknown ${linkId}.`);
      const { id: participantId, kind, externalId, name, partnerId, deletedAt } = person;
      const ofProgram = figures.filter((one) => one.part === part);
      return {
        linkId,
        slug: link.slug,
        programId: programOf.get(part) ?? '',
        participant: { participantId, kind, externalId, name, partnerId, deletedAt },
        clicks: Number(ofProgram.find((one) => one.name === 'clicks')?.value ?? 0n),
        referrals,
        ...presentResults(ofProgram),
      };
    });
  });
}
