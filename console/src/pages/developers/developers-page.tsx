import '../money.css';
import { Button } from '@mantine/core';
import { BookOpenIcon } from 'lucide-react';
import { useMay, useMayAdminister } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { ApiKeysTab } from './api-keys-tab.tsx';
import { OriginsTab } from './origins-tab.tsx';
import { SnippetsTab } from './snippets-tab.tsx';
import { SourcesTab } from './sources-tab.tsx';
import { WidgetSecretsTab } from './widget-secrets-tab.tsx';

export function DevelopersPage() {
  const mayAdminister = useMayAdminister();
  const maySources = useMay('sources:write');
  const forAdministrators = [
    { value: 'keys', label: 'API keys', panel: () => <ApiKeysTab /> },
    { value: 'widget-secrets', label: 'Widget secrets', panel: () => <WidgetSecretsTab /> },
  ];
  return (
    <Page
      title="Developers"
      intro="What your engineers need to connect your product with this project."
      actions={
        <Button
          component="a"
          href="/docs/api"
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<BookOpenIcon size={16} />}
        >
          API reference
        </Button>
      }
    >
      <PageTabs
        label="Developers"
        tabs={[
          { value: 'start', label: 'Connect', panel: () => <SnippetsTab /> },
          ...(mayAdminister ? forAdministrators : []),
          ...(maySources
            ? [{ value: 'sources', label: 'Sources', panel: () => <SourcesTab /> }]
            : []),
          { value: 'origins', label: 'Allowed origins', panel: () => <OriginsTab /> },
        ]}
      />
    </Page>
  );
}
