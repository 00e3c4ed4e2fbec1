import type { ReactNode } from 'react';
import { useMayAdminister } from '../app/session.ts';
import { Page } from './page.tsx';
import { EmptyState } from './states.tsx';

/** A page for owners and admins: others who follow a link to it see an explanation only. */
export function ForAdministrators({ title, children }: { title: string; children: ReactNode }) {
  const mayAdminister = useMayAdminister();
  if (mayAdminister) return children;
  return (
    <Page title={title}>
      <EmptyState title="Not for your role">
        This belongs to owners and admins of the workspace. Ask one of them.
      </EmptyState>
    </Page>
  );
}
