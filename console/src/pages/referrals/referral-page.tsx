import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { Facts } from '../../ui/facts.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { MissingPage } from '../../ui/missing-page.tsx';
import { Page } from '../../ui/page.tsx';
import { PersonCell } from '../../ui/person-cell.tsx';
import { RawJson } from '../../ui/raw-json.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { usePersonLabel } from '../../ui/use-person.ts';
import { When } from '../../ui/when.tsx';
import { ProgramLink } from '../people/names.tsx';
import { type Referral, referralQuery, touchQuery } from '../people/queries.ts';
import { policiesQuery } from '../programs/queries.ts';
import { ReferralRisk } from '../risk/referral-risk.tsx';

const SOURCES = {
  link: 'They followed the referrer’s link',
  landing_param: 'They came with the code in the address',
  ref_code: 'They typed the code',
} as const;

/** Who referred whom, by which touch, and how that was decided. */
export function ReferralPage() {
  const { referralId = '' } = useParams({ strict: false });
  const project = useProject();
  const { data, error, refetch } = useQuery(referralQuery(project.id, referralId));
  if (error || !data) {
    return (
      <MissingPage
        title="Referral"
        trail={{
          list: { label: 'Referrals', to: '/p/$projectId/referrals' },
          type: 'referral',
          id: referralId,
        }}
        error={error}
        retry={() => void refetch()}
      />
    );
  }
  return <OneReferral referral={data} />;
}

function OneReferral({ referral }: { referral: Referral }) {
  const project = useProject();
  const referrer = usePersonLabel(referral.referrerParticipantId);
  const referee = usePersonLabel(referral.refereeParticipantId);
  const { bindingEventId, bindingSubscriptionFactId } = referral;
  return (
    <Page
      trail={{
        list: { label: 'Referrals', to: '/p/$projectId/referrals' },
        type: 'referral',
        id: referral.id,
      }}
      title={referrer && referee ? `${referrer} referred ${referee}` : 'Referral'}
      intro="This referral is permanent: later clicks and codes change nothing, and the referred person’s purchases earn rewards for it."
      aside={<StatusBadge tone="good" label="Permanent" />}
    >
      <div className="detail-columns details-last">
        <Section title="The referral">
          <Facts
            rows={[
              ['Referrer', <PersonCell key="a" id={referral.referrerParticipantId} />],
              ['Referred', <PersonCell key="b" id={referral.refereeParticipantId} />],
              ['Program', <ProgramLink key="p" id={referral.programId} />],
              [
                'Made by',
                bindingEventId ? (
                  <ThingLink key="e" type="event" id={bindingEventId}>
                    Their signup, with every candidate that was considered
                  </ThingLink>
                ) : (
                  <IdText
                    key="s"
                    value={bindingSubscriptionFactId ?? ''}
                    label="subscription fact"
                  />
                ),
              ],
              ['Happened', <When key="o" at={referral.bindingOccurredAt} />],
              ['Decided', <When key="d" at={referral.selectedAt} />],
              ['Policy', <PolicyLink key="v" referral={referral} />],
              ['Id', <IdText key="i" value={referral.id} />],
              [
                'Rewards',
                <Anchor
                  key="r"
                  component={Link}
                  to="/p/$projectId/rewards"
                  params={{ projectId: project.id } as never}
                  search={{ beneficiaryParticipantId: referral.referrerParticipantId } as never}
                >
                  What the referrer earned
                </Anchor>,
              ],
            ]}
          />
        </Section>
        <aside aria-label="What brought them">
          <Touch touchId={referral.touchId} />
        </aside>
      </div>
      <ReferralRisk referral={referral} />
      <RawJson value={referral} />
    </Page>
  );
}

/** The version of the attribution policy that decided. */
function PolicyLink({ referral: { programId, policyVersionId } }: { referral: Referral }) {
  const { id: projectId } = useProject();
  const mayRead = useMay('programs:read');
  const { data } = useQuery({ ...policiesQuery(projectId, programId), enabled: mayRead });
  const version = data?.find(({ id }) => id === policyVersionId)?.version;
  if (version === undefined) return <IdText value={policyVersionId} label="policy version" />;
  return (
    <Anchor
      component={Link}
      to="/p/$projectId/programs/$programId"
      params={{ projectId, programId } as never}
      search={{ tab: 'attribution' } as never}
    >
      Attribution policy, version {version}
    </Anchor>
  );
}

function Touch({ touchId }: { touchId: string }) {
  const project = useProject();
  const { data: touch, error, refetch } = useQuery(touchQuery(project.id, touchId));
  if (error) return <ErrorState error={error} retry={() => void refetch()} />;
  return (
    <Section title="What brought them" intro={touch && `${SOURCES[touch.source]}.`}>
      {touch ? (
        <Facts
          rows={[
            ['When', <When key="w" at={touch.occurredAt} />],
            ['Counts until', <When key="x" at={touch.expiresAt} />],
            touch.landingUrl ? ['Landed on', touch.landingUrl] : undefined,
            touch.referrerOrigin ? ['Came from', touch.referrerOrigin] : undefined,
            ...Object.entries(touch.utm)
              .filter(([, value]) => value !== null)
              .map(([name, value]) => [`utm_${name}`, value] as const),
            ['Id', <IdText key="i" value={touch.id} />],
          ]}
        />
      ) : (
        <Lines count={3} />
      )}
    </Section>
  );
}
