import { randomBytes } from 'node:crypto';
import type { Database, Tx } from '../../platform/db/database.ts';
import { projectNow } from '../../platform/feed/writer/project-clock.ts';
import type { ProjectRef } from '../../platform/http/access/principal.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { encodeBase32, type NewId } from '../../platform/kit/ids.ts';
import { addMs, type Instant, toInstant } from '../../platform/kit/instant.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { findLongestWindow } from '../programs/queries.ts';
import { handleMs, isHandle, SAME_TOUCH_MS } from './handle.ts';
import { readClickToken } from './links/click-token.ts';
import { findTarget, type Target } from './queries.ts';
import { networkOf, readVisit } from './read-visit.ts';
import type { ClickAnswer, RecordClick, Touch } from './schema.ts';
import {
  extendOpenHandle,
  type HandleExtension,
  hasTouchSince,
  insertHandle,
  insertTouch,
  spendClick,
} from './store.ts';

const NOTHING: ClickAnswer = { handle: null, expiresAt: null, maxAgeSeconds: null };

/**
 * Records that a browser landed on a page through a link or a code, and returns the handle for it
 * to keep. A click without a target records nothing and is no error: addresses contain `ref` for
 * many reasons. Locks only the handle, so visitors and the Project's writer never wait for each
 * other.
 */
export async function recordClick(
  deps: Omit<ClickDeps, 'clicksPerMinute'>,
  project: ProjectRef,
  input: RecordClick,
  ip: string | null,
): Promise<ClickAnswer> {
  const projectId = project.id;
  const now = await projectNow(deps.database.reads, deps.clock, project);
  const click = readClickToken(deps.keyring, projectId, input.click ?? '', deps.clock.nowMs());
  const find = (name: string) => findTarget(deps.database.reads, projectId, name, now);
  const [followed, named] = await Promise.all([click && find(click.name), find(input.ref ?? '')]);
  if (!followed?.isOpen && !named?.isOpen) return NOTHING;
  const lifeMs = handleMs(await findLongestWindow(deps.database.reads, projectId, now));

  const { landingUrl, referrerOrigin, utm } = readVisit(input.url ?? null, input.referrer ?? null);
  return deps.database.transaction(async (tx) => {
    const isFollowed =
      click !== undefined &&
      followed?.isOpen === true &&
      (await spendClick(tx, projectId, click.id, toInstant(click.expiresMs)));
    const target: Target | undefined = isFollowed ? followed : named;
    if (!target?.isOpen) return NOTHING;
    const expiresAt = addMs(now, lifeMs);
    const known = await reuseHandle(tx, projectId, { id: input.handle ?? '', now, expiresAt });
    const handle = known ?? newHandle(tx, projectId, now, expiresAt);
    const isRepeated =
      known !== undefined &&
      (await hasTouchSince(
        tx,
        projectId,
        { handleId: handle, refCodeId: target.refCodeId },
        addMs(now, -SAME_TOUCH_MS),
      ));
    if (!isRepeated) {
      const source: Touch['source'] = isFollowed ? 'link' : 'landing_param';
      insertTouch(tx, {
        id: deps.newId('tch'),
        projectId,
        programId: target.programId,
        handleId: handle,
        refCodeId: target.refCodeId,
        linkId: target.linkId,
        referrerParticipantId: target.referrerParticipantId,
        source,
        occurredAt: now,
        expiresAt,
        landingUrl,
        referrerOrigin,
        utm,
        networkHash: hashNetwork(deps, projectId, ip),
      });
    }
    return { handle, expiresAt, maxAgeSeconds: lifeMs / 1000 };
  });
}

/**
 * The browser's own handle, if it is not identified yet. Its row stays locked to the end: a
 * concurrent identification waits and then sees this touch, and of two concurrent clicks the second
 * sees the first.
 */
async function reuseHandle(
  tx: Tx,
  projectId: string,
  handle: HandleExtension,
): Promise<string | undefined> {
  if (!isHandle(handle.id)) return undefined;
  return (await extendOpenHandle(tx, projectId, handle)) ? handle.id : undefined;
}

/** Must not be guessable: anyone who knows a handle can identify its browser. */
function newHandle(tx: Tx, projectId: string, now: Instant, expiresAt: Instant): string {
  const id = `hdl_${encodeBase32(randomBytes(16))}`;
  insertHandle(tx, { projectId, id, createdAt: now, expiresAt });
  return id;
}

function hashNetwork(
  { keyring }: Pick<ClickDeps, 'keyring'>,
  projectId: string,
  ip: string | null,
): string | null {
  const network = ip === null ? null : networkOf(ip);
  return network && keyring.hmac('network', `${projectId}\n${network}`).toString('base64url');
}

export interface ClickDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly clicksPerMinute: number;
}
