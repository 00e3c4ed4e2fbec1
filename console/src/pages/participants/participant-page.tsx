import { Anchor, Badge, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import '../people/people.css';
import { useProject } from '../../app/project.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { MissingPage } from '../../ui/missing-page.tsx';
import { Page } from '../../ui/page.tsx';
import { personLabel } from '../../ui/person.ts';
import { PersonCell } from '../../ui/person-cell.tsx';
import { RawJson } from '../../ui/raw-json.tsx';
import { Section } from '../../ui/section.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { usePersonLabel } from '../../ui/use-person.ts';
import { When } from '../../ui/when.tsx';
import { type ParticipantDetail, participantQuery } from '../people/queries.ts';
import { CodesAndLinks } from './codes-and-links.tsx';
import { Enrollments } from './enrollments.tsx';
import { ErasePerson } from './erase-person.tsx';
import { PayoutState } from './payout-state.tsx';
import { ReadmitPerson } from './readmit-person.tsx';
import { StartingMeasures } from './starting-measures.tsx';
import { TimelineSection } from './timeline-section.tsx';

/** One person or group, and everything that happened to them. */
export function ParticipantPage() {
  const { participantId = '' } = useParams({ strict: false });
  const project = useProject();
  const { data, error, refetch } = useQuery(participantQuery(project.id, participantId));
  if (error || !data) {
    return (
      <MissingPage
        title="Participant"
        trail={{
          list: { label: 'Participants', to: '/p/$projectId/participants' },
          type: 'participant',
          id: participantId,
        }}
        error={error}
        retry={() => void refetch()}
      />
    );
  }
  return <LoadedParticipant data={data} />;
}

function LoadedParticipant({ data }: { data: ParticipantDetail }) {
  const { participant } = data;
  const { id, name, partnerId, deletedAt } = participant;
  // A partner's name is stored with the partner, not here.
  const isPartner = partnerId !== null && name === null && deletedAt === null;
  const asked = usePersonLabel(id, isPartner);
  return (
    <Page
      trail={{
        list: { label: 'Participants', to: '/p/$projectId/participants' },
        type: 'participant',
        id: participant.id,
      }}
      title={asked ?? personLabel(participant, id)}
      aside={<Marks of={data} />}
      actions={
        participant.deletedAt ? <ReadmitPerson detail={data} /> : <ErasePerson detail={data} />
      }
    >
      <div className="detail-columns">
        <TimelineSection detail={data} />
        <Stack component="aside" gap="lg" aria-label="About them">
          <Section title="About">
            <Who detail={data} />
          </Section>
          <PayoutState participantId={id} />
          <CodesAndLinks detail={data} />
          <Enrollments enrollments={data.enrollments} />
          <StartingMeasures starts={data.startingMeasures} />
        </Stack>
      </div>
      <RawJson value={data} />
    </Page>
  );
}

function Marks({ of: { participant, referrals, referredBy } }: { of: ParticipantDetail }) {
  const marks = [
    participant.kind === 'group' ? (['Group', 'gray'] as const) : (['Person', 'gray'] as const),
    ...(participant.deletedAt ? [['Erased', 'gray'] as const] : []),
    ...(referrals.length > 0 ? [['Referrer', 'leaf'] as const] : []),
    ...(referredBy ? [['Referred', 'blue'] as const] : []),
    ...(participant.partnerId ? [['Partner', 'grape'] as const] : []),
  ];
  return (
    <Group gap={6}>
      {marks.map(([label, color]) => (
        <Badge key={label} variant="light" color={color} tt="none">
          {label}
        </Badge>
      ))}
    </Group>
  );
}

function Who({ detail: { participant, referredBy } }: { detail: ParticipantDetail }) {
  const { externalId, name, email, billingId, partnerId } = participant;
  return (
    <Facts
      rows={[
        externalId
          ? ['External id', <IdText key="x" value={externalId} label="external id" />]
          : undefined,
        name ? ['Name', name] : undefined,
        email ? ['E-mail', <Breakable key="e" text={email} />] : undefined,
        billingId
          ? ['Billing id', <IdText key="b" value={billingId} label="billing id" />]
          : undefined,
        partnerId
          ? [
              'Partner',
              <ThingLink key="p" type="partner" id={partnerId}>
                See the partner
              </ThingLink>,
            ]
          : undefined,
        [
          'Referred by',
          referredBy ? <PersonCell key="r" id={referredBy.referrerParticipantId} /> : 'Nobody',
        ],
        ['First seen', <When key="c" at={participant.createdAt} />],
        participant.deletedAt ? ['Erased', <When key="d" at={participant.deletedAt} />] : undefined,
        participant.readmittedAt
          ? ['Readmitted', <When key="a" at={participant.readmittedAt} />]
          : undefined,
        ['Id', <IdText key="i" value={participant.id} />],
        ['All of theirs', <TheirLists key="l" id={participant.id} />],
      ]}
    />
  );
}

const LISTS = [
  { label: 'Events', to: '/p/$projectId/events', filter: 'participantId' },
  { label: 'Rewards', to: '/p/$projectId/rewards', filter: 'beneficiaryParticipantId' },
  { label: 'Referrals', to: '/p/$projectId/referrals', filter: 'referrerParticipantId' },
] as const;

function TheirLists({ id }: { id: string }) {
  const project = useProject();
  return (
    <Group gap="0.1rem 0.75rem">
      {LISTS.map(({ label, to, filter }) => (
        <Anchor
          key={label}
          component={Link}
          to={to}
          params={{ projectId: project.id } as never}
          search={{ [filter]: id } as never}
        >
          {label}
        </Anchor>
      ))}
    </Group>
  );
}
