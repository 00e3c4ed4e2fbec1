import { Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { ThingLink } from '../../ui/thing-link.tsx';
import { type Person, personLabel } from './person-label.ts';
import { participantQuery, usePrograms } from './queries.ts';

/** Uses the search, which only looks up a key. */
const labelQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ['participants', projectId, id, 'label'],
    queryFn: async ({ signal }) => {
      const { data } = await answerOf(
        api.GET('/v1/search', { params: { query: { projectId, q: id } }, signal }),
      );
      const found = data.find((one) => one.type === 'participant' && one.id === id);
      if (!found) return id;
      // An object without any name is labelled with its id.
      return personLabel({ externalId: found.label === id ? null : found.label }, id);
    },
    staleTime: 300_000,
  });

/** Rows that are only scrolled past cause no request. */
const SETTLE_MS = 150;

/** The label of a person by id. Some lists contain only ids: those in view are looked up. */
export function usePersonLabel(id: string, isNeeded = true): string | undefined {
  const { id: projectId } = useProject();
  const mayRead = useMay('participants:read');
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({
    ...labelQuery(projectId, id),
    enabled: isNeeded && mayRead && isSettled,
  });
  return data;
}

interface ParticipantLinkProps {
  readonly id: string;
  /** If it is known already, it is not looked up. */
  readonly person?: Person;
}

export function ParticipantLink({ id, person }: ParticipantLinkProps) {
  return person && (person.name || person.externalId || person.deletedAt) ? (
    <ThingLink type="participant" id={id}>
      {personLabel(person, id)}
    </ThingLink>
  ) : (
    <AskedParticipantLink id={id} />
  );
}

function AskedParticipantLink({ id }: { id: string }) {
  return (
    <ThingLink type="participant" id={id}>
      {usePersonLabel(id)}
    </ThingLink>
  );
}

/** Who referred somebody, with a link to the referral. */
export function ReferralOf({ participantId }: { participantId: string }) {
  const { id: projectId } = useProject();
  const { data } = useQuery({
    ...participantQuery(projectId, participantId),
    enabled: useMay('participants:read'),
  });
  const referral = data?.referredBy;
  const referrer = usePersonLabel(referral?.referrerParticipantId ?? participantId);
  if (!referral) return <Text span>–</Text>;
  return (
    <ThingLink type="referral" id={referral.id}>
      Referred by {referrer ?? '…'}
    </ThingLink>
  );
}

export function ProgramLink({ id }: { id: string }) {
  const programs = usePrograms();
  const mayRead = useMay('programs:read');
  const name = programs.find((program) => program.id === id)?.name;
  if (!mayRead) return <Text span>{name ?? id}</Text>;
  return (
    <ThingLink type="program" id={id}>
      {name}
    </ThingLink>
  );
}
