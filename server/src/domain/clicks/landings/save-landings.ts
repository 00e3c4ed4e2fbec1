import type { Database, Tx } from '../../../platform/db/database.ts';
import { gather } from '../../../platform/db/gather.ts';
import { shareTransaction } from '../../../platform/db/share-transaction.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import { drawSecret, encodeBase32, type NewId } from '../../../platform/kit/ids.ts';
import { toInstant } from '../../../platform/kit/instant.ts';
import { createLimit } from '../../../platform/kit/limit.ts';
import type { ClickAnswer } from '../schema.ts';
import {
  extendHandles,
  insertHandles,
  insertTouches,
  listOpenHandles,
  listTouchesSince,
  lockFreeHandles,
  lockHandles,
  spendClicks,
} from '../store.ts';
import {
  decideLandings,
  earliestTouch,
  type Known,
  type Landing,
  touchKey,
} from './decide-landings.ts';

/** Landings that share a transaction, and how many such transactions run at once. */
const SIZE_MAX = 200;
const AT_ONCE = 2;
const WAITING_MAX = 5_000;
const WAIT_MS = 10_000;
/** Landings that wait at once, each with a connection, for a handle that another transaction holds. */
const HELD_MAX = 4;

export interface SaveDeps {
  readonly database: Database;
  readonly newId: NewId;
}

export type SaveLanding = (landing: Landing) => Promise<ClickAnswer>;

/**
 * Saves landings before it answers them. Those at the same time share a transaction, so they share its
 * commit. On Citus each has its own: a transaction of several Projects would be one of several nodes.
 */
export function makeSaveLanding(deps: SaveDeps): SaveLanding {
  const saveAlone = async (landing: Landing): Promise<ClickAnswer> => {
    const [answer] = await save(deps, [landing], true);
    return answer as ClickAnswer;
  };
  const limitHeld = createLimit(HELD_MAX);
  const saveWithOthers = gather<Landing, ClickAnswer>({
    run: async (landings) => {
      const answers = await save(deps, landings, false);
      return landings.map(
        (landing, index) => answers[index] ?? limitHeld(() => saveAlone(landing)),
      );
    },
    sizeMax: SIZE_MAX,
    atOnce: AT_ONCE,
    waitingMax: WAITING_MAX,
    waitMs: WAIT_MS,
  });
  return (landing) =>
    deps.database.isDistributed() ? saveAlone(landing) : saveWithOthers(landing);
}

/**
 * The answers to landings, in their order. Unless it `waits` for the locks of handles that others hold,
 * landings with such a handle have none: nobody waits for the handle of another.
 */
async function save(
  { database, newId }: SaveDeps,
  landings: readonly Landing[],
  waits: boolean,
): Promise<(ClickAnswer | undefined)[]> {
  // Everywhere in one order, so that two processes with the same tokens do not lock each other out.
  const groups = [...groupBy(landings, ({ projectId }) => projectId)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const parts = groups.map(
    ([projectId, own]) =>
      (tx: Tx) =>
        saveInProject(tx, projectId, own, { newId, waits }),
  );
  const [only] = parts;
  const answers = await database.transaction(
    async (tx) => (parts.length === 1 && only ? [await only(tx)] : shareTransaction(tx, parts)),
    { facts: landings.length },
  );
  const byLanding = new Map(answers.flatMap((own) => [...own]));
  return landings.map((landing) => byLanding.get(landing));
}

async function saveInProject(
  tx: Tx,
  projectId: string,
  landings: readonly Landing[],
  { newId, waits }: { readonly newId: NewId; readonly waits: boolean },
): Promise<Map<Landing, ClickAnswer>> {
  const { open, touched, held } = await lockHandlesOf(tx, projectId, landings, waits);
  const free = landings.filter(({ handle }) => handle === null || !held.has(handle));
  const unspent = await spendTokensOf(tx, projectId, free);
  const make = { handle: newHandle, touchId: () => newId('tch') };
  const decided = decideLandings(free, { open, touched, unspent }, make);
  if (decided.handles.length > 0) insertHandles(tx, projectId, decided.handles);
  if (decided.extensions.length > 0) extendHandles(tx, projectId, decided.extensions);
  if (decided.touches.length > 0) insertTouches(tx, projectId, decided.touches);
  return new Map(free.map((landing, index) => [landing, decided.answers[index] as ClickAnswer]));
}

const NO_HANDLES = { open: new Map(), touched: new Map(), held: new Set<string>() };

/**
 * Their rows stay locked to the end: a concurrent identification waits and then sees the touches, and
 * of two concurrent clicks the second sees the first. `held` are those that others have locked.
 */
async function lockHandlesOf(
  tx: Tx,
  projectId: string,
  landings: readonly Landing[],
  waits: boolean,
): Promise<Pick<Known, 'open' | 'touched'> & { readonly held: ReadonlySet<string> }> {
  const ids = [...new Set(landings.flatMap(({ handle }) => handle ?? []))];
  if (ids.length === 0) return NO_HANDLES;
  const [locked, touches] = await Promise.all([
    (waits ? lockHandles : lockFreeHandles)(tx, projectId, ids),
    listTouchesSince(tx, projectId, ids, earliestTouch(landings)),
  ]);
  const open = new Map(locked.map(({ id, expiresAt }) => [id, expiresAt]));
  const others = ids.filter((id) => !open.has(id));
  const held = waits || others.length === 0 ? [] : await listOpenHandles(tx, projectId, others);
  return {
    open,
    touched: new Map(touches.map((one) => [touchKey(one.handleId, one.refCodeId), one.occurredAt])),
    held: new Set(held),
  };
}

async function spendTokensOf(
  tx: Tx,
  projectId: string,
  landings: readonly Landing[],
): Promise<ReadonlySet<string>> {
  const clicks = landings.flatMap(({ click }) => click ?? []);
  if (clicks.length === 0) return new Set();
  const ids = clicks.map(({ id }) => id);
  const times = clicks.map(({ expiresMs }) => toInstant(expiresMs));
  return new Set(await spendClicks(tx, projectId, ids, times));
}

/** Must not be guessable: anyone who knows a handle can identify its browser. */
function newHandle(): string {
  return `hdl_${encodeBase32(drawSecret())}`;
}
