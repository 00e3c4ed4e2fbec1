import { ATTACKS, HIDDEN } from './attacks.ts';
import { INTENTS, type Intent, type World } from './calls.ts';
import { Draw } from './draw.ts';
import { HONEST } from './honest.ts';
import { Shop, type Stories } from './shop.ts';

const STORIES: Readonly<Record<Intent, Stories>> = {
  honest: HONEST,
  attack: ATTACKS,
  hidden: HIDDEN,
};

/** Two months of a shop, the same for the same seed; `size` scales how many groups there are of each kind. */
export function makeWorld(seed: number, size = 1): World {
  const shop = new Shop(new Draw(seed));
  for (const intent of INTENTS) {
    for (const [kind, { story, groups }] of Object.entries(STORIES[intent])) {
      for (let group = 1; group <= Math.ceil(groups * size); group += 1)
        story(shop, { intent, kind, group });
    }
  }
  return shop.world;
}
