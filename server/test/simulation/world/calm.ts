import { makeRandom } from '../../random.ts';
import type { VirtualTime } from '../authority/virtual-time.ts';
import { chance } from './draw.ts';
import type { WorldSpec } from './operations.ts';

/** In so many of a hundred worlds, machines are awake all the time. */
const AWAKE_PERCENT = 8;
/** Longer than a worker's work takes, with its calls to providers. */
const LOOK_MS = 1_200;
/** Longer than it takes to mail all news of a day. */
const MAIL_MS = 5_000;
/** Longer than most workers wait until they look again. */
const NAP_MS = 20_000;

/**
 * So much time passes after all faults have ended. In most worlds machines sleep between two looks of the workers: four of
 * five statements of a second in which nothing is due are those of workers that find nothing.
 */
export async function letWorkersLook(
  { seed, mail }: Pick<WorldSpec, 'seed' | 'mail'>,
  time: VirtualTime,
  ms: number,
): Promise<void> {
  if (chance(makeRandom(seed ^ 0xca11), AWAKE_PERCENT)) return time.sleep(ms);
  const lookMs = mail ? MAIL_MS : LOOK_MS;
  await time.sleep(lookMs);
  for (let leftMs = ms; leftMs > 0; leftMs -= NAP_MS) {
    time.jump(NAP_MS);
    await time.sleep(lookMs);
  }
}
