import type { Queryable } from './driver.ts';

/** Asks for nothing, so that only a database which is away or overrun does not answer. */
export function doesAnswer(source: Queryable): Promise<boolean> {
  return source.query('select 1').then(
    () => true,
    () => false,
  );
}
