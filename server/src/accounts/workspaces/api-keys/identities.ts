import { timingSafeEqual } from 'node:crypto';
import type { Queryable } from '../../../platform/db/driver.ts';
import type {
  Identities,
  PageProject,
  ProjectRef,
} from '../../../platform/http/access/principal.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import { type Instant, toInstant } from '../../../platform/kit/instant.ts';
import { findProjectRef } from '../find-project-ref.ts';
import {
  findLiveKeyByHash,
  findProjectByKey,
  hasProjectWithOrigin,
  type LiveKey,
} from '../store.ts';
import { hashApiKey, isWellFormed } from './api-key.ts';

/** A revoked key or secret stops on the other processes within this time. */
const CACHE_MS = 1_000;
/** What is remembered of a Project by its id never changes: this only bounds how long for nothing. */
const PLACE_MS = 60_000;
const ENTRIES_MAX = 10_000;

/** What is needed to tell who signed a Widget token, and which pages may use it. */
export interface WidgetProject extends PageProject {
  /** Those that were not revoked, the expired ones too; newest first. */
  readonly secrets: readonly { readonly secret: string; readonly expiresAt: Instant | null }[];
}

/** What each process remembers of keys and Projects, so that a call need not ask the database for them. */
export class KeyCache {
  readonly #clock: Clock;
  /** Rises with every change, so that what was read before one is not remembered after it. */
  #changes = 0;
  readonly #keys = new Map<string, { value: LiveKey; untilMs: number }>();
  readonly #projects = new Map<string, { value: ProjectRef; untilMs: number }>();
  readonly #projectsByKey = new Map<string, { value: PageProject; untilMs: number }>();
  readonly #widgetProjects = new Map<string, { value: WidgetProject; untilMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  key(hash: string, load: () => Promise<LiveKey | undefined>): Promise<LiveKey | undefined> {
    return this.#through(this.#keys, hash, CACHE_MS, load);
  }

  project(
    id: string,
    load: () => Promise<ProjectRef | undefined>,
  ): Promise<ProjectRef | undefined> {
    return this.#through(this.#projects, id, PLACE_MS, load);
  }

  projectByKey(
    projectKey: string,
    load: () => Promise<PageProject | undefined>,
  ): Promise<PageProject | undefined> {
    return this.#through(this.#projectsByKey, projectKey, CACHE_MS, load);
  }

  widgetProject(
    id: string,
    load: () => Promise<WidgetProject | undefined>,
  ): Promise<WidgetProject | undefined> {
    return this.#through(this.#widgetProjects, id, CACHE_MS, load);
  }

  forgetKey(keyId: string): void {
    this.#changes += 1;
    for (const [hash, entry] of this.#keys) if (entry.value.id === keyId) this.#keys.delete(hash);
  }

  forgetProject(projectId: string): void {
    this.#changes += 1;
    this.#projects.delete(projectId);
    this.#widgetProjects.delete(projectId);
    for (const [projectKey, entry] of this.#projectsByKey) {
      if (entry.value.id === projectId) this.#projectsByKey.delete(projectKey);
    }
  }

  async #through<T>(
    map: Map<string, { value: T; untilMs: number }>,
    name: string,
    keepMs: number,
    load: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const known = map.get(name);
    const nowMs = this.#clock.nowMs();
    if (known && nowMs < known.untilMs) return known.value;
    const changesBefore = this.#changes;
    const value = await load();
    map.delete(name);
    if (value !== undefined && changesBefore === this.#changes) {
      map.set(name, { value, untilMs: nowMs + keepMs });
      if (map.size > ENTRIES_MAX) map.delete(map.keys().next().value as string);
    }
    return value;
  }
}

export function createIdentities(deps: {
  readonly reads: Queryable;
  readonly clock: Clock;
  readonly cache: KeyCache;
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
      deps.cache.project(projectId, () => findProjectRef(deps.reads, projectId)),
    findProjectByKey: (projectKey) =>
      deps.cache.projectByKey(projectKey, () => findProjectByKey(deps.reads, projectKey)),
    isAllowedOrigin: (origin) => hasProjectWithOrigin(deps.reads, origin),
    async findKey(apiKey) {
      if (!isWellFormed(apiKey)) return undefined;
      const hash = hashApiKey(apiKey);
      const key = await deps.cache.key(hash.toString('base64'), () =>
        findLiveKeyByHash(deps.reads, hash),
      );
      if (!key) return undefined;
      if (key.expiresAt !== null && key.expiresAt <= toInstant(deps.clock.nowMs()))
        return undefined;
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
