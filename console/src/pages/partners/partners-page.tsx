import '../money.css';
import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { attentionQuery, sayWaiting } from '../../app/attention.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { EmptyState, Lines } from '../../ui/states.tsx';
import { useFilters } from '../../ui/use-filters.ts';
import { ApplicationsTab } from './applications-tab.tsx';
import { PartnersTab } from './partners-tab.tsx';

export function PartnersPage() {
  const { id } = useProject();
  const mayRead = useMay('partners:read');
  return (
    <Page
      title="Partners"
      intro="People and companies outside your product who recommend it in an affiliate program and are paid for the customers they bring."
    >
      {mayRead ? (
        <Lists key={id} />
      ) : (
        <EmptyState title="Not for your role">
          An owner or admin can give you a role that sees partners, under Team.
        </EmptyState>
      )}
    </Page>
  );
}

/** Opens on the partners, or on the applications while some wait for a decision. */
function Lists() {
  const [{ tab }, setFilters] = useFilters();
  const { data: matters, isPending } = useQuery(attentionQuery(useProject().id));
  const waiting = matters && sayWaiting(matters, 'partner_applications');
  const opens = waiting ? 'applications' : 'partners';
  const isOpening = !tab && !isPending;
  // Kept in the address: the last decision does not close the tab that somebody is reading.
  useEffect(() => {
    if (isOpening) setFilters({ tab: opens });
  }, [isOpening, opens, setFilters]);
  if (isPending && !tab) return <Lines count={6} />;
  return (
    <PageTabs
      label="Partners"
      opens={opens}
      tabs={[
        { value: 'partners', label: 'Partners', panel: () => <PartnersTab /> },
        {
          value: 'applications',
          label: <ApplicationsLabel waiting={waiting} />,
          panel: () => <ApplicationsTab />,
        },
      ]}
    />
  );
}

function ApplicationsLabel({ waiting }: { waiting: string | undefined }) {
  return (
    <>
      Applications
      {waiting && (
        <Badge variant="light" size="sm" ml={6}>
          {waiting}
        </Badge>
      )}
    </>
  );
}
