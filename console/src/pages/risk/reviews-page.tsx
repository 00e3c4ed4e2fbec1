import './risk.css';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { ListsTab } from './lists/lists-tab.tsx';
import { QueueTab } from './queue/queue-tab.tsx';

export function ReviewsPage() {
  return (
    <Page
      title="Reviews"
      intro="Referrals with signs of fraud. Their rewards wait until somebody has looked and decided."
    >
      <PageTabs
        label="Reviews"
        tabs={[
          { value: 'queue', label: 'Queue', panel: () => <QueueTab /> },
          { value: 'lists', label: 'Lists', panel: () => <ListsTab /> },
        ]}
      />
    </Page>
  );
}
