import { chance, pick, type Random } from './draw.ts';
import type { Operation, WorldSpec } from './operations.ts';

/** The same world, in which some people pay in euros and yen. An invoice that is reported twice stays in dollars. */
export function addCurrencies(spec: WorldSpec, random: Random): WorldSpec {
  const convert = (one: Operation): Operation => {
    if (one.kind === 'many') return { ...one, operations: one.operations.map(convert) };
    const isOther = one.kind === 'buy' && one.invoice === undefined && chance(random, 45);
    return isOther ? { ...one, currency: pick(random, ['EUR', 'EUR', 'JPY'] as const) } : one;
  };
  return { ...spec, operations: spec.operations.map(convert) };
}
