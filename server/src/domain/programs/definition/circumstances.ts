import type { Environment } from '../../../platform/http/access/principal.ts';
import type { Issue } from '../../../platform/kit/errors.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { ConnectedMethod } from '../delivery-methods.ts';
import type { ScheduledVersion } from './defined-program.ts';
import type { UnitNames } from './terms-file.ts';

export interface Circumstances {
  readonly now: Instant;
  readonly environment: Environment;
  readonly connected: readonly ConnectedMethod[];
  /** The units of the Project, by key. */
  readonly units: ReadonlyMap<string, UnitNames>;
  /** Whether rules that the definition lacks are disabled. */
  readonly prune: boolean;
}

/** The highest version in effect applies, so one that is published now would replace a scheduled one for ever. */
export function refuseScheduled(
  scheduled: readonly ScheduledVersion[] | undefined,
  path: string,
  issues: Issue[],
): void {
  const [next] = scheduled ?? [];
  if (!next) return;
  issues.push({
    path,
    issue: `cannot be changed: version ${next.version} is scheduled for ${next.effectiveAt}, and a version published now would replace it. Wait until then, or publish a version with the API`,
  });
}
