import type { ReactNode } from 'react';
import { useMayAdminister } from '../app/session.ts';
import { Page } from './page.tsx';
import { EmptyState } from './states.tsx';

/** A page of owners and admins: whoever comes by a link is told so, and offered nothing. */
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
