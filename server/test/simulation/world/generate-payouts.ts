import { TRANSFER_ENDS } from '../outside/books.ts';
import { WISE_FAULTS } from '../outside/wise-books.ts';
import { chance, pick, type Random } from './draw.ts';
import type { Undated } from './operations.ts';

/** What people and operators do about payouts, and what becomes of transfers. */
export function drawPayout(random: Random, people: number, isLost: boolean): Undated {
  // Nobody can say what people have paid since a backup.
  const method = isLost || chance(random, 80) ? 'wise' : 'manual_export';
  switch (random(15)) {
    case 0:
    case 1:
    case 2:
      return {
        kind: 'details',
        person: random(people),
        account: chance(random, 80) ? 0 : 1,
      };
    case 3:
    case 4:
    case 5:
      return {
        kind: 'payout',
        method,
        steps: pick(random, [0, 1, 2, 2, 2]),
      };
    case 6: {
      const action = pick(random, ['approve', 'submit', 'submit', 'cancel'] as const);
      return { kind: 'batch', nth: random(4), action };
    }
    case 7: {
      if (isLost) return { kind: 'payout', method, steps: 2 };
      const outcome = pick(random, ['paid', 'paid', 'failed', 'returned'] as const);
      return { kind: 'result', nth: random(4), outcome };
    }
    case 8:
    case 9:
    case 10: {
      const to = chance(random, 50) ? 'sent' : pick(random, TRANSFER_ENDS);
      return { kind: 'transfer', nth: random(4), to };
    }
    case 13: {
      const amountMinor = pick(random, ['1', '1000', '20000', null]);
      return { kind: 'minimum', amountMinor };
    }
    case 11:
    case 12:
      return { kind: 'wait', ms: pick(random, [1_000, 5_000, 20_000]) };
    default:
      return { kind: 'provider', fault: random(WISE_FAULTS.length) };
  }
}
