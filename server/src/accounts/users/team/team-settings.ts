import type { Queryable } from '../../../platform/db/driver.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { noSuch } from '../../../platform/kit/errors.ts';
import { toInstant } from '../../../platform/kit/instant.ts';
import { recordAudit } from '../../workspaces/audit-log.ts';
import type { ChangeTeamSettings, TeamSettings } from '../schema.ts';
import { findTeamSettings, updateTeamSettings } from '../store.ts';
import type { UserDeps } from '../user-deps.ts';

/** Fails with NOT_FOUND. */
export async function showTeamSettings(db: Queryable, workspaceId: string): Promise<TeamSettings> {
  const settings = await findTeamSettings(db, workspaceId);
  if (!settings) throw noSuch('Workspace');
  return { workspaceId, ...settings };
}

/** Takes effect at once here, and within a second in other processes. Fails with NOT_FOUND. */
export async function changeTeamSettings(
  deps: UserDeps,
  request: WriteRequest,
  workspaceId: string,
  { operatorsNeedTotp }: ChangeTeamSettings,
): Promise<TeamSettings> {
  const now = toInstant(deps.clock.nowMs());
  const settings = await deps.database.transaction(async (tx) => {
    const before = await showTeamSettings(tx, workspaceId);
    if (await updateTeamSettings(tx, workspaceId, operatorsNeedTotp, now)) {
      recordAudit(
        { tx, now, newId: deps.newId },
        { ...request, workspaceId },
        {
          action: 'team_settings.change',
          targetType: 'workspace',
          targetId: workspaceId,
          changes: { operatorsNeedTotp },
          before,
        },
      );
    }
    return showTeamSettings(tx, workspaceId);
  });
  deps.userCache.forgetWorkspace(workspaceId);
  return settings;
}
