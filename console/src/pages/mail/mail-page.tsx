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
      intro="What participants, partners and your team are told by e-mail. Nothing is sent to participants until there is a sender and a kind is on."
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
