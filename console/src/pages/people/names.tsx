import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { ThingLink } from '../../ui/thing-link.tsx';
import { usePersonLabel } from '../../ui/use-person.ts';
import { participantQuery, usePrograms } from './queries.ts';

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
  const label = name && (
    <span className="name" title={name}>
      {name}
    </span>
  );
  if (!mayRead) return <Text span>{label ?? id}</Text>;
  return (
    <ThingLink type="program" id={id}>
      {label}
    </ThingLink>
  );
}
