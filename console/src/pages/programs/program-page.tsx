import './programs.css';
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense } from 'react';
import { useProject } from '../../app/project.ts';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { CopyProgramButton } from './copy-program.tsx';
import { describeStatus, KINDS } from './program-words.ts';
import { type Program, programQuery, useProjectNow } from './queries.ts';

interface TabPage {
  readonly value: string;
  readonly label: string;
  readonly content: ComponentType<{ program: Program }>;
  readonly isFor?: (program: Program) => boolean;
}

const TABS: readonly TabPage[] = [
  {
    value: 'overview',
    label: 'Overview',
    content: lazy(() => import('./tabs/overview-tab.tsx')),
  },
  {
    value: 'results',
    label: 'Results',
    content: lazy(() => import('./tabs/results-tab.tsx')),
    isFor: ({ kind }) => kind !== 'loyalty',
  },
  {
    value: 'rules',
    label: 'Rules and terms',
    content: lazy(() => import('./tabs/rules-tab.tsx')),
  },
  {
    value: 'widget',
    label: 'Widget',
    content: lazy(() => import('./tabs/widget-tab.tsx')),
    isFor: ({ kind }) => kind === 'referral',
  },
  {
    value: 'attribution',
    label: 'Attribution',
    content: lazy(() => import('./tabs/attribution-tab.tsx')),
    isFor: ({ kind }) => kind !== 'loyalty',
  },
  {
    value: 'risk',
    label: 'Risk',
    content: lazy(() => import('./tabs/risk-tab.tsx')),
    isFor: ({ kind }) => kind !== 'loyalty',
  },
  {
    value: 'delivery',
    label: 'Delivery',
    content: lazy(() => import('./tabs/delivery-tab.tsx')),
  },
  {
    value: 'settings',
    label: 'Settings',
    content: lazy(() => import('./tabs/settings-tab.tsx')),
  },
  {
    value: 'backtests',
    label: 'Back-tests',
    content: lazy(() => import('./tabs/backtests-tab.tsx')),
  },
  {
    value: 'as-code',
    label: 'As code',
    content: lazy(() => import('./tabs/as-code-tab.tsx')),
  },
];

export function ProgramPage() {
  const { id: projectId } = useProject();
  const { programId = '' } = useParams({ strict: false });
  const program = useQuery(programQuery(projectId, programId));
  if (program.isPending) {
    return (
      <Page title="Program">
        <Lines count={6} height={24} />
      </Page>
    );
  }
  if (program.isError) {
    return (
      <Page title="Program">
        <ErrorState error={program.error} retry={() => void program.refetch()} />
      </Page>
    );
  }
  return <ProgramTabs key={programId} program={program.data} />;
}

function ProgramTabs({ program }: { program: Program }) {
  const { label, tone, meaning } = describeStatus(program, useProjectNow());
  const tabs = TABS.filter(({ isFor }) => isFor?.(program) ?? true).map(
    ({ content: Content, ...tab }) => ({
      ...tab,
      panel: () => (
        <Suspense fallback={<Lines count={5} height={24} />}>
          <Stack gap="lg">
            <Content program={program} />
          </Stack>
        </Suspense>
      ),
    }),
  );
  return (
    <Page
      trail={{
        list: { label: 'Programs', to: '/p/$projectId/programs' },
        type: 'program',
        id: program.id,
      }}
      title={program.name}
      intro={KINDS[program.kind].meaning}
      aside={<StatusBadge tone={tone} label={label} explanation={meaning} />}
      actions={<CopyProgramButton program={program} />}
    >
      <PageTabs label="About the program" tabs={tabs} />
    </Page>
  );
}
