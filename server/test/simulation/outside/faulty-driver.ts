import {
  CommitUnknownError,
  type Driver,
  type Listener,
  type Row,
  type Session,
} from '../../../src/platform/db/driver.ts';
import type { VirtualTime } from '../authority/virtual-time.ts';

/** What may go wrong between a process and its database, from now on. */
export interface DatabaseFaults {
  /** Statements that are still answered before the connection breaks; null: it holds. */
  statementsLeft: number | null;
  /** Commits whose response is lost, although they happen. */
  lostCommits: number;
  /** Until then no connection is accepted. */
  refusesUntilMs: number;
  /** How long each statement takes. */
  slowMs: number;
}

export const noFaults = (): DatabaseFaults => ({
  statementsLeft: null,
  lostCommits: 0,
  refusesUntilMs: 0,
  slowMs: 0,
});

interface Line {
  readonly time: VirtualTime;
  readonly faults: DatabaseFaults;
  /** Rejects once the process is dead: nothing that it has begun goes on. */
  readonly isDead: () => boolean;
  /** Called before each statement, so that a process can be made to crash there. */
  readonly onStatement: () => void;
}

const broken = (code: string) => Object.assign(new Error('The connection broke.'), { code });

/** Code of a dead process waits for ever, as it would if the machine was gone. */
const never = () => new Promise<never>(() => undefined);

/** The embedded engine as one process reaches it: over a line that can be slow, refuse or break. */
export function overFaultyLine(driver: Driver, line: Line, open: Set<Session>): Driver {
  const { time, faults } = line;
  const pass = async (): Promise<void> => {
    if (line.isDead()) await never();
    line.onStatement();
    if (line.isDead()) await never();
    if (faults.slowMs > 0) await time.sleep(faults.slowMs);
    if (line.isDead()) await never();
    if (faults.statementsLeft !== null) {
      faults.statementsLeft -= 1;
      if (faults.statementsLeft < 0) {
        faults.statementsLeft = null;
        throw broken('ECONNRESET');
      }
    }
  };
  const refuse = () => {
    if (time.nowMs < faults.refusesUntilMs) throw broken('ECONNREFUSED');
  };
  /**
   * An answer arrives as a timer fires, not when the engine has it: then the order of answers is that of the seed, and
   * not that of how many promises the engine needed. A dead process learns nothing, and a frozen one learns it late.
   */
  const answer = async <T>(work: Promise<T>): Promise<T> => {
    const outcome = await work.then(
      (result) => () => result,
      (error) => () => {
        throw error;
      },
    );
    if (line.isDead()) await never();
    await time.sleep(0);
    return outcome();
  };
  return {
    // Several processes share it, as they share PostgreSQL.
    kind: 'postgres',
    async query<R = Row>(text: string, params?: readonly unknown[]): Promise<R[]> {
      await pass();
      refuse();
      time.note(text, params);
      return answer(driver.query<R>(text, params));
    },
    begin(facts) {
      let session: Session | undefined;
      let isBroken = false;
      const opened = async (): Promise<Session> => {
        if (session) return session;
        refuse();
        session = driver.begin(facts);
        open.add(session);
        return session;
      };
      const drop = async () => {
        isBroken = true;
        if (!session) return;
        open.delete(session);
        await session.rollback();
      };
      /** Statements are sent in order, without waiting for the answers of those before. */
      let sent: Promise<unknown> = Promise.resolve();
      /** Answers arrive in the order of the statements. */
      let answered: Promise<unknown> = Promise.resolve();
      const run = <T>(work: (inner: Session) => Promise<T>): Promise<T> => {
        const sending = sent.then(async () => {
          if (isBroken) throw broken('ECONNRESET');
          try {
            await pass();
          } catch (error) {
            await drop();
            throw error;
          }
          return { work: work(await opened()) };
        });
        sent = sending.catch(() => undefined);
        const before = answered;
        const arriving = answer(sending.then(({ work }) => work));
        arriving.catch(() => undefined);
        const arrived = before.then(() => arriving);
        answered = arrived.catch(() => undefined);
        return arrived;
      };
      return {
        query: <R = Row>(text: string, params?: readonly unknown[]) =>
          run((inner) => {
            time.note(text, params);
            return inner.query<R>(text, params);
          }),
        script: (text: string) => run((inner) => inner.script(text)),
        async commit() {
          await run(async (inner) => {
            // So that no two transactions are of the same millisecond.
            await time.sleep(1);
            open.delete(inner);
            await inner.commit();
          });
          if (faults.lostCommits > 0) {
            faults.lostCommits -= 1;
            throw new CommitUnknownError('The response to COMMIT is lost.');
          }
        },
        async rollback() {
          if (line.isDead()) await never();
          await answer(drop());
        },
      };
    },
    ...(driver.listen
      ? {
          listen: (channel: string, onMessage: (payload: string | null) => void): Listener =>
            driver.listen?.(channel, (payload) => {
              if (!line.isDead()) onMessage(payload);
            }) as Listener,
        }
      : {}),
    async close() {
      await Promise.all([...open].map((session) => session.rollback()));
      open.clear();
    },
  };
}
