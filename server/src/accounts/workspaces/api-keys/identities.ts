import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Queryable } from '../../../platform/db/driver.ts';
import type {
  Environment,
  Identities,
  PageProject,
  ProjectRef,
} from '../../../platform/http/access/principal.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import { type Instant, toInstant } from '../../../platform/kit/instant.ts';
import { ReadThroughCache } from '../../../platform/kit/read-through-cache.ts';
import {
  findLiveKeyByHash,
  findProjectByKey,
  findProjectRef,
  hasProjectWithOrigin,
  type LiveKey,
} from '../queries.ts';
import type { UsageLog } from '../usage/usage-log.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 43;
const CHECK_CHARS = 6;
const FORM = /^gw_(live|sandbox)_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/;

/** 43 random characters (256 bits) and a checksum, which detects a mistyped key without a lookup. */
export function makeApiKey(environment: Environment): string {
  let body = `gw_${environment}_`;
  for (let n = 0; n < RANDOM_CHARS; n += 1) body += BASE62[randomInt(62)];
  return body + checksum(body);
}

function isWellFormed(key: string): boolean {
  if (!FORM.test(key)) return false;
  return checksum(key.slice(0, -CHECK_CHARS)) === key.slice(-CHECK_CHARS);
}

/** Keys have full entropy, so a fast hash is as safe as a slow one. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let n = 0; n < CHECK_CHARS; n += 1) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** A revoked key or secret stops working in the other processes within this time. */
const CACHE_MS = 1_000;
/** The cached data of a Project never changes: this only limits how long unused entries stay. */
const PLACE_MS = 60_000;

/** What is needed to verify a Widget token, and to check which pages may use it. */
export interface WidgetProject extends PageProject {
  /** Those that were not revoked, including expired ones; newest first. */
  readonly secrets: readonly { readonly secret: string; readonly expiresAt: Instant | null }[];
}

/** Each process's cache of keys and Projects. */
export class KeyCache {
  readonly keys: ReadThroughCache<LiveKey>;
  readonly projects: ReadThroughCache<ProjectRef>;
  readonly projectsByKey: ReadThroughCache<PageProject>;
  readonly widgetProjects: ReadThroughCache<WidgetProject>;

  constructor(clock: Clock) {
    this.keys = new ReadThroughCache(clock, CACHE_MS);
    this.projects = new ReadThroughCache(clock, PLACE_MS);
    this.projectsByKey = new ReadThroughCache(clock, CACHE_MS);
    this.widgetProjects = new ReadThroughCache(clock, CACHE_MS);
  }

  forgetKey(keyId: string): void {
    this.keys.forget(({ id }) => id === keyId);
  }

  forgetProject(projectId: string): void {
    for (const cache of [this.projects, this.projectsByKey, this.widgetProjects]) {
      cache.forget(({ id }) => id === projectId);
    }
  }
}

export function createIdentities(deps: {
  readonly reads: Queryable;
  readonly clock: Clock;
  readonly cache: KeyCache;
  readonly usage: UsageLog;
  readonly adminToken: string;
  readonly findUser: Identities['findUser'];
  readonly origin: string;
}): Identities {
  const adminHash = hashApiKey(deps.adminToken);
  return {
    findUser: deps.findUser,
    origin: deps.origin,
    isAdminToken: (token) => timingSafeEqual(hashApiKey(token), adminHash),
    findProject: (projectId) =>
      deps.cache.projects.get(projectId, () => findProjectRef(deps.reads, projectId)),
    findProjectByKey: (projectKey) =>
      deps.cache.projectsByKey.get(projectKey, () => findProjectByKey(deps.reads, projectKey)),
    isAllowedOrigin: (origin) => hasProjectWithOrigin(deps.reads, origin),
    async findKey(apiKey) {
      if (!isWellFormed(apiKey)) return undefined;
      const hash = hashApiKey(apiKey);
      const key = await deps.cache.keys.get(hash.toString('base64'), () =>
        findLiveKeyByHash(deps.reads, hash),
      );
      if (!key) return undefined;
      if (key.expiresAt !== null && key.expiresAt <= toInstant(deps.clock.nowMs()))
        return undefined;
      deps.usage.noteKey(key.id);
      return {
        type: 'key',
        keyId: key.id,
        workspaceId: key.workspaceId,
        environment: key.environment,
        permissions: key.permissions,
      };
    },
  };
}
