import type { Queryable } from '../../platform/db/driver.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { ProgramBook } from '../programs/program-book.ts';
import { loadRiskBook } from '../risk/lists/risk-lists.ts';
import { loadTraits, type RiskSources } from '../tracking/risk/load-risk.ts';
import { Replay } from './decide/replay.ts';
import { findHistoryEnd, listPastSources } from './history-queries.ts';
import type { Pace } from './pace.ts';
import { HistoryReader } from './read-history.ts';

/** Facts of a page: little enough to keep a service answering, and enough that asking is not what takes the time. */
const PAGE = 500;

/** Facts between two looks at the time. */
const LOOK = 4;

interface Asked {
  readonly projectId: string;
  readonly programId: string;
  readonly actual: ProgramBook;
  readonly proposed: ProgramBook;
  readonly from: Instant;
  readonly to: Instant;
  readonly partsAt?: Instant;
}

interface Options {
  readonly page?: number;
  /** Passes nothing over. */
  readonly needsAll?: boolean;
  /** What events are judged by that nobody has judged yet. Without it, they have no signs that people share. */
  readonly risk?: RiskSources;
  /** Lets others have a turn between facts. */
  readonly pace?: Pace;
  /** Called after each page, with how many of how many Events are done; resolves to go on. */
  readonly onPage?: (done: number, all: number, replay: Replay) => Promise<void>;
}

/** Replays the stored history of a Project, without locking anything. */
export async function replayHistory(
  db: Queryable,
  { projectId, ...books }: Asked,
  { page = PAGE, needsAll = false, risk, pace, onPage }: Options = {},
): Promise<Replay> {
  const end = await findHistoryEnd(db, projectId);
  const sources = await listPastSources(db, projectId);
  const replay = new Replay({
    projectId,
    ...books,
    sources: new Map(sources.map((source) => [source.id, source])),
    riskBook: await loadRiskBook(db, projectId),
  });
  if (!end) return replay;
  const reader = new HistoryReader(db, projectId, end, {
    page,
    needsAll: needsAll || replay.needsAll,
    window: books,
    loadTraits:
      risk && replay.canReview ? (people) => loadTraits({ db, projectId }, risk, people) : null,
    isKnown: (id) => replay.knows(id),
    creatorOf: (id) => replay.creatorOf(id),
  });
  const takePage = async () => {
    const next = await (pace ? pace.during(reader.next()) : reader.next());
    if (!next) return false;
    for (const person of next.people) replay.addPerson(person);
    replay.setTouches(next.touches);
    replay.events.compared += next.passedOver;
    for (const [at, fact] of next.facts.entries()) {
      replay.take(fact);
      if (pace && at % LOOK === 0) await pace.turn();
    }
    return true;
  };
  while (await (pace ? pace.inTurn(takePage) : takePage())) {
    await onPage?.(reader.read, end.events, replay);
  }
  replay.finish(end.at);
  return replay;
}
