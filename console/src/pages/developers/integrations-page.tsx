import '../money.css';
import { useMay, useMayAdminister } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { PayoutAccountsTab } from './payout-accounts-tab.tsx';
import { ReconciliationTab } from './reconciliation-tab.tsx';
import { StripeTab } from './stripe-tab.tsx';

export function IntegrationsPage() {
  const mayAdminister = useMayAdminister();
  const maySeePayouts = useMay('payouts:read');
  const tabs = [
    ...(mayAdminister
      ? [
          { value: 'stripe', label: 'Stripe', panel: () => <StripeTab /> },
          { value: 'payouts', label: 'Payout accounts', panel: () => <PayoutAccountsTab /> },
        ]
      : []),
    ...(maySeePayouts
      ? [{ value: 'reconciliation', label: 'Reconciliation', panel: () => <ReconciliationTab /> }]
      : []),
  ];
  return (
    <Page
      title="Integrations"
      intro="Accounts elsewhere that this project works with: where purchases come from, and where money goes out."
    >
      {tabs.length > 0 ? (
        <PageTabs label="Integrations" tabs={tabs} />
      ) : (
        <EmptyState title="Not for your role">
          Accounts are connected by owners and admins; finance can compare the books.
        </EmptyState>
      )}
    </Page>
  );
}
