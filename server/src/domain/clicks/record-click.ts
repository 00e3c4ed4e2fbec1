import type { Queryable } from '../../platform/db/driver.ts';
import { projectNow } from '../../platform/feed/writer/project-clock.ts';
import type { ProjectRef } from '../../platform/http/access/principal.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { findLongestWindow } from '../programs/queries.ts';
import { handleMs, isHandle } from './handle.ts';
import { hashNetworkOf } from './hash-network.ts';
import { NOTHING } from './landings/decide-landings.ts';
import type { SaveLanding } from './landings/save-landings.ts';
import { readClickToken } from './links/click-token.ts';
import { findTarget, type Target } from './queries.ts';
import { readVisit } from './read-visit.ts';
import type { ClickAnswer, RecordClick } from './schema.ts';

/**
 * Records that a browser landed on a page through a link or a code, and returns the handle for it
 * to keep. A click without a target records nothing and is no error: addresses contain `ref` for
 * many reasons. Locks only the handle, so visitors and the Project's writer never wait for each
 * other.
 */
export async function recordClick(
  deps: RecordDeps,
  project: ProjectRef,
  input: RecordClick,
  ip: string | null,
): Promise<ClickAnswer> {
  const projectId = project.id;
  const now = await projectNow(deps.reads, deps.clock, project);
  const click = readClickToken(deps.keyring, projectId, input.click ?? '', deps.clock.nowMs());
  const find = async (name: string): Promise<Target | null> => {
    const target = await findTarget(deps.reads, projectId, name, now);
    return target?.isOpen ? target : null;
  };
  const [followed, named, windowDays] = await Promise.all([
    click ? find(click.name) : null,
    find(input.ref ?? ''),
    findLongestWindow(deps.reads, projectId, now),
  ]);
  if (!followed && !named) return NOTHING;
  return deps.saveLanding({
    projectId,
    now,
    lifeMs: handleMs(windowDays),
    click: click && followed ? { ...click, target: followed } : null,
    named,
    handle: isHandle(input.handle ?? '') ? (input.handle ?? null) : null,
    ...readVisit(input.url ?? null, input.referrer ?? null),
    networkHash: hashNetworkOf(deps.keyring, projectId, ip),
  });
}

export interface ClickDeps {
  /** Shared by callers at the same time. */
  readonly reads: Queryable;
  readonly clock: Clock;
  readonly keyring: Keyring;
}

export interface RecordDeps extends ClickDeps {
  readonly saveLanding: SaveLanding;
}
