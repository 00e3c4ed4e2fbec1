import '../money.css';
import { useMay } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ApplicationsTab } from './applications-tab.tsx';
import { PartnersTab } from './partners-tab.tsx';

export function PartnersPage() {
  const mayRead = useMay('partners:read');
  return (
    <Page
      title="Partners"
      intro="People and companies outside your product who recommend it in an affiliate program and are paid for the customers they bring."
    >
      {mayRead ? (
        <PageTabs
          label="Partners"
          tabs={[
            { value: 'applications', label: 'Applications', panel: () => <ApplicationsTab /> },
            { value: 'partners', label: 'Partners', panel: () => <PartnersTab /> },
          ]}
        />
      ) : (
        <EmptyState title="Not for your role">
          An owner or admin can give you a role that sees partners, under Team.
        </EmptyState>
      )}
    </Page>
  );
}
