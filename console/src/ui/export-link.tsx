import { Button } from '@mantine/core';
import { DownloadIcon } from 'lucide-react';
import { useProject } from '../app/project.ts';

/** Lists of a workspace, not of a project. */
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
  /** The current filters of the list; undefined and empty ones are left out. */
  readonly filters?: Readonly<Record<string, string | undefined>>;
  /** For pages with more than one list. */
  readonly label?: string;
}

/** Downloads the whole filtered list, not only the loaded rows. */
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
