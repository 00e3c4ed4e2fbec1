import './mail.css';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { MailsTab } from './mails-tab.tsx';
import { SenderTab } from './sender-tab.tsx';
import { TextsTab } from './texts-tab.tsx';

export function MailPage() {
  return (
    <Page
      title="Mail"
      intro="E-mails to participants, partners and your team. Participants get mail once you have set a sender and switched on what is mailed."
    >
      <PageTabs
        label="About mail"
        tabs={[
          { value: 'mails', label: 'Mails', panel: () => <MailsTab /> },
          { value: 'texts', label: 'Kinds and texts', panel: () => <TextsTab /> },
          { value: 'sender', label: 'Sender', panel: () => <SenderTab /> },
        ]}
      />
    </Page>
  );
}
