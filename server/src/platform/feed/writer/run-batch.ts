import type { Tx } from '../../db/database.ts';
import type { IdempotencyClaim } from '../../http/access/principal.ts';
import type { Clock } from '../../kit/clock.ts';
import { conflict, notFound } from '../../kit/errors.ts';
import type { NewId } from '../../kit/ids.ts';
import { addMs, DAY_MS, toInstant } from '../../kit/instant.ts';
import { eventIdAt } from '../event-id.ts';
import {
  type AnswerToKeep,
  type Head,
  insertFeedEvents,
  type KeptAnswer,
  listKeptAnswers,
  updateClockOffset,
  updateHead,
  upsertKeptAnswers,
} from '../store.ts';
import type { ConfigCache } from './config-cache.ts';
import { timeOf } from './project-clock.ts';
import type {
  Command,
  ConfigTx,
  FanOut,
  Handler,
  NewFeedEvent,
  Outcome,
  ProjectWrite,
} from './project-write.ts';

/** How long an Idempotency-Key is valid, in real time: it is for a caller's retries. */
export const IDEMPOTENCY_MS = DAY_MS;

export interface BatchDeps {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly configs: ConfigCache;
  readonly fanOut: FanOut;
}

interface Batch<C, A, L> {
  readonly handler: Handler<C, A, L>;
  readonly commands: readonly Command<C>[];
  /** Sent already: what is sent from now on runs under the lock. */
  readonly locking: Promise<Head | undefined>;
  /** Called with the lock; if it answers false, the batch fails with `OutOfTurnError`. */
  readonly isTurn?: () => Promise<boolean>;
}

export interface BatchResult<A> {
  readonly outcomes: Outcome<A>[];
  /** Number of events added to the feed. */
  readonly appended: number;
  /** Number of their queued deliveries. */
  readonly queued: number;
}

/** The previous batch was not written, and is to be retried first. */
class OutOfTurnError extends Error {}

/** Load, decide, append: what the one transaction of a batch does with the lock, all of one Project. */
export async function runBatch<C, A, L>(
  tx: Tx,
  deps: BatchDeps,
  { handler, commands, locking, isTurn }: Batch<C, A, L>,
): Promise<BatchResult<A>> {
  const projectId = (commands[0] as Command<C>).request.projectId;
  const loading = handler.load?.(tx, projectId, commands);
  // If the lock fails, so does this; the lock's error is the one to report.
  loading?.catch(() => undefined);
  const head = await locking;
  if (isTurn && !(await isTurn())) throw new OutOfTurnError();
  if (!head) throw notFound('project');
  // After the lock, so that a process whose clock is behind never turns the Project's time back.
  const nowMs = deps.clock.nowMs();
  const now = timeOf(head, nowMs);
  const realNow = toInstant(nowMs);

  const events: NewFeedEvent[] = [];
  let queued = 0;
  const numbers: Record<string, number> = { ...head.numbers };
  let configNumber = head.configNumber;
  let lastAt = now;
  const write: ProjectWrite = {
    projectId,
    tx,
    now,
    realNow,
    newId: deps.newId,
    config: (part) =>
      configNumber === head.configNumber
        ? deps.configs.read(tx, projectId, configNumber, part)
        : part.load(tx, projectId),
    changeConfig: () => {
      configNumber = head.configNumber + 1;
      return tx as ConfigTx;
    },
    nextNumber: (list) => {
      const next = (numbers[list] ?? 0) + 1;
      numbers[list] = next;
      return next;
    },
    moveClock: (at, offsetMs) => {
      lastAt = at;
      updateClockOffset(tx, projectId, offsetMs);
    },
    append: (type, data) => {
      const id = eventIdAt(deps.newId('wev'), head.feedPosition + events.length + 1);
      events.push({ id, type, data });
    },
  };

  const outcomes = await answerKeptOnes<C, A>(tx, realNow, commands);
  const open = commands.filter((_, index) => outcomes[index] === undefined);
  if (open.length > 0) {
    const decided = await handler.run(write, open, (await loading) as L);
    if (decided.length !== open.length) {
      throw new Error(`${handler.name} answered ${decided.length} of ${open.length} commands.`);
    }
    keepAnswers(write, open, decided);
    if (events.length > 0) {
      const first = head.feedPosition + 1;
      insertFeedEvents(tx, projectId, events, { firstPosition: first, occurredAt: now });
      queued = await deps.fanOut(
        write,
        events.map(({ type }, index) => ({ position: first + index, type })),
      );
    }
    if (decided.some((outcome) => 'answer' in outcome)) {
      updateHead(tx, projectId, {
        feedPosition: head.feedPosition + events.length,
        lastAt,
        numbers,
        configNumber,
      });
    }
    const rest = decided.values();
    for (const [index, outcome] of outcomes.entries()) {
      outcomes[index] = outcome ?? (rest.next().value as Outcome<A>);
    }
  }
  return { outcomes: outcomes as Outcome<A>[], appended: events.length, queued };
}

async function answerKeptOnes<C, A>(
  tx: Tx,
  realNow: string,
  commands: readonly Command<C>[],
): Promise<(Outcome<A> | undefined)[]> {
  const claims = commands.flatMap(({ request }) => request.idempotency ?? []);
  if (claims.length === 0) return commands.map(() => undefined);
  const projectId = (commands[0] as Command<C>).request.projectId;
  const kept = await listKeptAnswers(
    tx,
    projectId,
    claims.map((claim) => claim.keyHash),
    addMs(realNow, -IDEMPOTENCY_MS),
  );
  return commands.map(({ request: { idempotency } }) =>
    idempotency ? answerOf<A>(kept, idempotency) : undefined,
  );
}

/** The stored answer of this key; a refusal if the body differs. */
export function answerOf<A>(
  kept: ReadonlyMap<string, KeptAnswer>,
  claim: IdempotencyClaim,
): Outcome<A> | undefined {
  const known = kept.get(claim.keyHash);
  if (!known) return undefined;
  if (known.bodyHash === claim.bodyHash) return { answer: known.answer as A };
  return {
    refused: conflict(
      'idempotency_key_reused',
      'This Idempotency-Key was used within the last 24 hours with another body.',
    ),
  };
}

function keepAnswers<C, A>(
  { tx, projectId, realNow }: ProjectWrite,
  commands: readonly Command<C>[],
  outcomes: readonly Outcome<A>[],
): void {
  const answers = commands.flatMap(({ request }, index): AnswerToKeep[] => {
    const outcome = outcomes[index] as Outcome<A>;
    if (!request.idempotency || !('answer' in outcome)) return [];
    const participantId = outcome.participantId ?? null;
    return [{ ...request.idempotency, answer: outcome.answer, participantId }];
  });
  if (answers.length > 0) upsertKeptAnswers(tx, projectId, realNow, answers);
}
