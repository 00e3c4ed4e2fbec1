import { SETTINGS } from '../../platform/config/settings.ts';
import { listOperations } from '../../surfaces/docs/api/api-document.ts';
import { describeErrors } from '../../surfaces/docs/reference/describe-errors.ts';
import { describeEvents } from '../../surfaces/docs/reference/describe-events.ts';
import { describeLimits } from '../../surfaces/docs/reference/describe-limits.ts';
import { describePermissions } from '../../surfaces/docs/reference/describe-permissions.ts';
import { describeSettings } from '../../surfaces/docs/reference/describe-settings.ts';
import { collectOfflineRoutes, describeOffline } from './describe-offline.ts';

/** The pages of docs/reference/ by file name: generated from the code, and committed. */
export function describeReference(): Record<string, string> {
  const routes = collectOfflineRoutes();
  return {
    'events.md': describeEvents(),
    'errors.md': describeErrors(listOperations(JSON.parse(describeOffline()))),
    'limits.md': describeLimits(routes),
    'settings.md': describeSettings(SETTINGS),
    'permissions.md': describePermissions(routes),
  };
}
