import type { Tracer } from '../kit/tracer.ts';
import type { Driver, Session } from './driver.ts';

const TEXT_MAX = 500;

/**
 * The same engine with a span for every statement inside another span: with its text, which is a
 * constant of the program, and never its values. The polling of workers has none.
 */
export function traceDriver(driver: Driver, tracer: Tracer): Driver {
  const trace = <T>(text: string, work: () => Promise<T>): Promise<T> => {
    if (!tracer.current()) return work();
    const squeezed = text.replace(/\s+/g, ' ').trim();
    const operation = squeezed.split(' ', 1)[0]?.toUpperCase() ?? '';
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': squeezed.slice(0, TEXT_MAX),
    };
    return tracer.span(`sql ${operation}`, { kind: 'client', attributes }, work);
  };
  return {
    kind: driver.kind,
    ...(driver.isDistributed ? { isDistributed: driver.isDistributed.bind(driver) } : {}),
    query: (text, params) => trace(text, () => driver.query(text, params)),
    begin: (facts) => traceSession(driver.begin(facts), trace),
    ...(driver.listen ? { listen: driver.listen.bind(driver) } : {}),
    ...(driver.copyTo ? { copyTo: driver.copyTo.bind(driver) } : {}),
    ...(driver.pools ? { pools: driver.pools.bind(driver) } : {}),
    close: () => driver.close(),
  };
}

function traceSession(
  session: Session,
  trace: <T>(text: string, work: () => Promise<T>) => Promise<T>,
): Session {
  return {
    query: (text, params) => trace(text, () => session.query(text, params)),
    script: (text) => session.script(text),
    commit: () => trace('commit', () => session.commit()),
    rollback: () => session.rollback(),
  };
}
