import '../money.css';
import { Button } from '@mantine/core';
import { PlusIcon } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { BatchesTab } from './batches-tab.tsx';
import { DraftForm } from './draft-form.tsx';
import { Owed } from './owed.tsx';
import { PayoutsTab } from './payouts-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';

export function PayoutsPage() {
  const mayPay = useMay('payouts:write');
  const [isDrafting, setDrafting] = useState(false);
  const draft = mayPay ? (
    <Button leftSection={<PlusIcon size={18} />} onClick={() => setDrafting(true)}>
      New batch
    </Button>
  ) : undefined;
  return (
    <Page
      title="Payouts"
      intro="Cash rewards are paid in batches. Create a draft, review it, approve it and submit it. Then see the result of each transfer."
      actions={draft}
    >
      <Owed />
      <PageTabs
        label="Payouts"
        tabs={[
          { value: 'batches', label: 'Batches', panel: () => <BatchesTab draft={draft} /> },
          { value: 'payouts', label: 'All payouts', panel: () => <PayoutsTab /> },
          { value: 'settings', label: 'Settings', panel: () => <SettingsTab /> },
        ]}
      />
      {mayPay && <DraftForm opened={isDrafting} onClose={() => setDrafting(false)} />}
    </Page>
  );
}
