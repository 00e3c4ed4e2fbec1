import type { Clock } from '../../../platform/kit/clock.ts';
import { HOUR_MS, type Instant, toInstant } from '../../../platform/kit/instant.ts';

/** What is recorded of a Project when it first happens. */
export const FIRST_USES = ['api_key', 'landing_script', 'widget', 'webhook'] as const;
export type FirstUse = (typeof FIRST_USES)[number];

/** Times of first uses. */
export type UseTimes = Partial<Record<FirstUse, Instant>>;

/** What is not saved yet: when keys were last used, and the first uses of Projects. */
export interface UnsavedUse {
  readonly keys: ReadonlyMap<string, Instant>;
  readonly projects: ReadonlyMap<string, UseTimes>;
}

/** A key's last use is recorded again after this time. */
const KEY_USE_MS = HOUR_MS;
/** Forgetting costs one needless statement for each key and Project that is used again. */
const REMEMBERED_MAX = 20_000;

/**
 * What this process saw being used. Noting it costs no statement: a worker saves it, once per Project
 * and use, and at most once an hour per key.
 */
export class UsageLog {
  readonly #clock: Clock;
  readonly #keys = new Map<string, number>();
  readonly #projects = new Map<string, UseTimes>();
  #unsavedKeys = new Map<string, Instant>();
  #unsavedProjects = new Map<string, UseTimes>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  noteKey(keyId: string): void {
    const nowMs = this.#clock.nowMs();
    const notedMs = this.#keys.get(keyId);
    if (notedMs !== undefined && nowMs - notedMs < KEY_USE_MS) return;
    remember(this.#keys, keyId, nowMs);
    this.#unsavedKeys.set(keyId, toInstant(nowMs));
  }

  noteFirst(projectId: string, use: FirstUse): void {
    const known = this.#projects.get(projectId);
    if (known?.[use] !== undefined) return;
    const at = toInstant(this.#clock.nowMs());
    remember(this.#projects, projectId, { ...known, [use]: at });
    this.#unsavedProjects.set(projectId, { ...this.#unsavedProjects.get(projectId), [use]: at });
  }

  /** What this process saw of a Project, saved or not. */
  usesOf(projectId: string): readonly FirstUse[] {
    const known = this.#projects.get(projectId) ?? {};
    return FIRST_USES.filter((use) => known[use] !== undefined);
  }

  /** Returns what is not saved, for the caller to save. */
  take(): UnsavedUse {
    const taken = { keys: this.#unsavedKeys, projects: this.#unsavedProjects };
    this.#unsavedKeys = new Map();
    this.#unsavedProjects = new Map();
    return taken;
  }

  /** Takes back what could not be saved. What was noted meanwhile of a key is newer. */
  giveBack({ keys, projects }: UnsavedUse): void {
    for (const [keyId, at] of keys) {
      this.#unsavedKeys.set(keyId, this.#unsavedKeys.get(keyId) ?? at);
    }
    for (const [projectId, uses] of projects) {
      this.#unsavedProjects.set(projectId, { ...this.#unsavedProjects.get(projectId), ...uses });
    }
  }
}

function remember<V>(among: Map<string, V>, id: string, value: V): void {
  if (among.size >= REMEMBERED_MAX && !among.has(id)) among.clear();
  among.set(id, value);
}
