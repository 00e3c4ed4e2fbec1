import { isUnavailable } from '../../../platform/db/database.ts';
import type {
  Handler,
  Outcome,
  ProjectWrite,
} from '../../../platform/feed/writer/project-write.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { AppError } from '../../../platform/kit/errors.ts';
import { introduceParticipant } from '../../participants/write-participants.ts';
import type { AdjustmentAnswer, SubscriptionAnswer } from '../billing-schema.ts';
import { foldCommand } from '../decide/fold-command.ts';
import { settleLoaded } from '../decide/settle-milestones.ts';
import type { TrackAnswer } from '../event-schema.ts';
import type { AdjustmentInput, SubscriptionInput } from '../intake/normalize-billing.ts';
import type { EventInput } from '../intake/normalize-event.ts';
import type { RiskSources } from '../risk/load-risk.ts';
import { Ledger } from './ledger.ts';
import { askForNamed, loadLedger, type Named } from './load-ledger.ts';
import { needsOf, type TrackCommand } from './needs.ts';
import { auditDropped, saveLedger } from './save-ledger.ts';

const BATCH_MAX = 200;

export interface TrackDeps extends RiskSources {
  readonly writer: ProjectWriter;
  /** Reports an internal error that the caller does not need to see. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** Each fails with NOT_FOUND for the source, or CONFLICT; a repeat gets the first answer. */
export interface Tracker {
  track(request: WriteRequest, event: EventInput): Promise<TrackAnswer>;
  /** Also fails with NOT_FOUND for an unknown adjustment to restore or close, or a purchase without an amount. */
  adjust(request: WriteRequest, adjustment: AdjustmentInput): Promise<AdjustmentAnswer>;
  subscribe(request: WriteRequest, subscription: SubscriptionInput): Promise<SubscriptionAnswer>;
  /** Decides the purchases of this person that waited for a signup which never arrived. */
  decideDue(request: WriteRequest, participantId: string): Promise<void>;
}

export function makeTracker(deps: TrackDeps): Tracker {
  const handler: Handler<TrackCommand, object, Named> = {
    name: 'track',
    batchMax: BATCH_MAX,
    // A signup without a sender's id is identified by its person, any other fact by its id.
    repeatable: true,
    isShared: true,
    load: (tx, projectId, commands) =>
      askForNamed(tx, deps, projectId, needsOf(commands.map(({ input }) => input))),
    run: (write, commands, named) =>
      runBatch(
        write,
        deps,
        commands.map(({ input }) => input),
        named,
      ),
  };
  const submit = async <A>(request: WriteRequest, command: TrackCommand) =>
    (await deps.writer.submit(handler, request, command)) as A;
  /** For a fact that purchases may have waited for. */
  const submitDecider = async <A>(
    request: WriteRequest,
    command: TrackCommand & { kind: 'event' | 'subscription' },
  ): Promise<A> => {
    try {
      return await submit(request, command);
    } catch (error) {
      if (error instanceof AppError || isUnavailable(error)) throw error;
      // A waiting purchase may have caused the error: it is retried when its time is up.
      deps.onFailure(error, request.requestId);
      return submit(request, { ...command, leavesWaiting: true });
    }
  };
  return {
    track: (request, event) =>
      event.type === 'signup'
        ? submitDecider(request, { kind: 'event', event })
        : submit(request, { kind: 'event', event }),
    adjust: (request, adjustment) => submit(request, { kind: 'adjustment', adjustment }),
    subscribe: (request, subscription) =>
      submitDecider(request, { kind: 'subscription', subscription }),
    decideDue: async (request, participantId) => {
      await submit(request, { kind: 'due', participantId });
    },
  };
}

/**
 * Takes facts as part of a larger transaction. Returns an outcome for each, in order; a refused one
 * changes nothing.
 */
export async function takeFacts(
  write: ProjectWrite,
  sources: RiskSources,
  commands: readonly TrackCommand[],
): Promise<Outcome<object>[]> {
  const named = await askForNamed(write.tx, sources, write.projectId, needsOf(commands));
  return runBatch(write, sources, commands, named);
}

async function runBatch(
  write: ProjectWrite,
  sources: RiskSources,
  commands: readonly TrackCommand[],
  named: Named,
): Promise<Outcome<object>[]> {
  const state = await loadLedger(write, named, needsOf(commands), sources);
  const newPeople: ReturnType<typeof introduceParticipant>[] = [];
  const ledger = new Ledger(state, {
    ...write,
    introduce: (participant) => newPeople.push(introduceParticipant(write, participant)),
    announce: (type, data) => write.append(type, data()),
  });
  settleLoaded(ledger);
  const outcomes = commands.map((command) => foldCommand(ledger, command));
  saveLedger(write, ledger, newPeople);
  await auditDropped(write, ledger.made.early.dropped);
  return outcomes;
}
