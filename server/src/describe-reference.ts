import { collectOfflineRoutes, describeOffline } from './describe-offline.ts';
import { listOperations } from './docs/api-document.ts';
import { describeErrors } from './docs/reference/describe-errors.ts';
import { describeEvents } from './docs/reference/describe-events.ts';
import { describeLimits } from './docs/reference/describe-limits.ts';
import { describePermissions } from './docs/reference/describe-permissions.ts';
import { describeSettings } from './docs/reference/describe-settings.ts';
import { SETTINGS } from './settings.ts';

/** The pages of docs/reference/ by their file names: made from the code, and committed. */
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
