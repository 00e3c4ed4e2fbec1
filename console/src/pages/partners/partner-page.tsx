import '../money.css';
import { Alert, Button, Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { projectsQuery, useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { MissingPage } from '../../ui/missing-page.tsx';
import { Page } from '../../ui/page.tsx';
import { RawJson } from '../../ui/raw-json.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { When } from '../../ui/when.tsx';
import { PartnerInProject } from './partner-in-project.tsx';
import { PartnerResults } from './partner-results.tsx';
import { stateOfPartner } from './states.ts';
import { type PartnerWithProjects, SuspendPartner } from './suspend-partner.tsx';

export function PartnerPage() {
  const { partnerId = '' } = useParams({ strict: false });
  const mayRead = useMay('partners:read');
  const {
    data: partner,
    error,
    refetch,
  } = useQuery({
    queryKey: ['partners', 'one', partnerId],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/partners/{partnerId}', { params: { path: { partnerId } }, signal }),
        )
      ).data,
    enabled: mayRead,
  });
  if (partner) return <LoadedPartner partner={partner} />;
  if (mayRead) {
    return (
      <MissingPage
        title="Partner"
        trail={{
          list: { label: 'Partners', to: '/p/$projectId/partners' },
          type: 'partner',
          id: partnerId,
        }}
        error={error}
        retry={() => void refetch()}
      />
    );
  }
  return (
    <Page title="Partner">
      <EmptyState title="Not for your role">
        An owner or admin can give you a role that sees partners, under Team.
      </EmptyState>
    </Page>
  );
}

function LoadedPartner({ partner }: { partner: PartnerWithProjects }) {
  const here = useProject();
  const { data: projects } = useSuspenseQuery(projectsQuery);
  const mayDecide = useMay('partners:write');
  const mayReadFigures = useMay('referrals:read');
  const [isAsked, setAsked] = useState(false);
  const isSuspended = partner.status === 'suspended';
  const state = stateOfPartner(partner);
  const nameOf = (projectId: string) =>
    projects.find(({ id }) => id === projectId)?.name ?? projectId;
  // The project of the page comes first.
  const participants = [...partner.participants].sort(
    (a, b) => Number(b.projectId === here.id) - Number(a.projectId === here.id),
  );
  return (
    <Page
      trail={{
        list: { label: 'Partners', to: '/p/$projectId/partners' },
        type: 'partner',
        id: partner.id,
      }}
      title={partner.name ?? 'Erased partner'}
      aside={<StatusBadge {...state} />}
      intro={state.explanation}
      actions={
        partner.erasedAt || !mayDecide ? undefined : (
          <Button variant={isSuspended ? 'filled' : 'default'} onClick={() => setAsked(true)}>
            {isSuspended ? 'Reinstate' : 'Suspend'}
          </Button>
        )
      }
    >
      {isSuspended && (
        <Alert color="red" variant="light" title="Suspended">
          Since <When clock="real" at={partner.suspendedAt} />
          {partner.suspensionReason ? `: ${partner.suspensionReason}` : '.'}
        </Alert>
      )}
      <div className="detail-columns">
        <Stack gap="lg">
          {participants.map(({ projectId, participantId }) => (
            <Fragment key={`${partner.id} ${projectId}`}>
              {mayReadFigures && (
                <PartnerResults
                  partnerId={partner.id}
                  projectId={projectId}
                  projectName={nameOf(projectId)}
                />
              )}
              <PartnerInProject
                projectId={projectId}
                projectName={nameOf(projectId)}
                participantId={participantId}
              />
            </Fragment>
          ))}
          {participants.length === 0 && (
            <EmptyState title="In no project yet">
              It joins a project when an application to one of its programs is approved.
            </EmptyState>
          )}
        </Stack>
        <Stack component="aside" gap="lg" aria-label="About the partner">
          <Section title="About">
            <Facts
              rows={[
                ['E-mail', partner.email && <Breakable key="e" text={partner.email} />],
                ['Verified', <When key="verified" at={partner.emailVerifiedAt} />],
                ['Kind', partner.profileType === 'company' ? 'Company' : 'Person'],
                ['Country', partner.country],
                ['Partner since', <When key="since" clock="real" at={partner.createdAt} />],
                ['Partner', <IdText key="id" value={partner.id} label="partner id" />],
              ]}
            />
          </Section>
        </Stack>
      </div>
      <RawJson value={partner} />
      <SuspendPartner partner={partner} opened={isAsked} onClose={() => setAsked(false)} />
    </Page>
  );
}
