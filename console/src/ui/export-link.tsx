import { Button } from '@mantine/core';
import { DownloadIcon } from 'lucide-react';
import { useProject } from '../app/project.ts';

/** Kept by Workspace, not by Project. */
const OF_WORKSPACE: ReadonlySet<string> = new Set([
  'audit-log',
  'partners',
  'api-keys',
  'users',
  'invitations',
]);

interface ExportLinkProps {
  /** The list by its name in the API: `rewards`, `payouts`, `audit-log`. */
  readonly list: string;
  /** As the list is filtered now; what is undefined or empty is left out. */
  readonly filters?: Readonly<Record<string, string | undefined>>;
  /** Where a page has more than one list. */
  readonly label?: string;
}

/** Downloads the whole list as it is filtered, not only the rows that are loaded. */
export function ExportLink({ list, filters = {}, label = 'Export CSV' }: ExportLinkProps) {
  const project = useProject();
  const query = new URLSearchParams(
    OF_WORKSPACE.has(list) ? { workspaceId: project.workspaceId } : { projectId: project.id },
  );
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined && value !== '') query.set(name, value);
  }
  return (
    <Button
      component="a"
      href={`/v1/exports/${list}?${query}`}
      download
      variant="default"
      leftSection={<DownloadIcon size={16} />}
    >
      {label}
    </Button>
  );
}
