import type { Instant } from '../../../platform/kit/instant.ts';

export const RESTORE_CAUSES = ['backup', 'moved', 'declared'] as const;

/** A Workspace's store was restored: it pays nothing until somebody releases it. */
export interface RestoreRow {
  readonly id: string;
  readonly workspaceId: string;
  /** `backup`: `npm run restore`. `moved`: the database is not where it was. */
  readonly cause: (typeof RESTORE_CAUSES)[number];
  /** What happened from here on until the restore is unknown. In real time, like the others. */
  readonly since: Instant;
  readonly note: string | null;
  readonly declaredBy: string;
  readonly createdAt: Instant;
  readonly releasedAt: Instant | null;
  readonly releasedBy: string | null;
}
