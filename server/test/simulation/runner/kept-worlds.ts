/** A world that is played with every change. */
export interface KeptWorld {
  readonly seed: number;
  readonly operations: number;
  /** The planted defects of `sabotage/defects.ts` that it finds. */
  readonly finds: readonly string[];
}

/** A seed is another world once the generator draws otherwise: then `sabotage` says which of these find nothing any more. */
export const KEPT_WORLDS: readonly KeptWorld[] = [
  { seed: 3, operations: 80, finds: ['feed positions are counted by each process'] },
  { seed: 133, operations: 80, finds: ['people refer themselves'] },
  { seed: 1359, operations: 40, finds: ['who has left a program goes on referring'] },
  { seed: 1379, operations: 40, finds: ['a browser can be given to a second person'] },
  { seed: 3733, operations: 80, finds: ['a change of settings does not reach other processes'] },
  { seed: 3914, operations: 80, finds: ['the attribution window is a day too long'] },
  { seed: 13002, operations: 80, finds: ['an Idempotency-Key is ignored'] },
  { seed: 127, operations: 40, finds: ['a granted reward is voided as if it was not'] },
  { seed: 640, operations: 40, finds: ['half a cent is never rounded to an even one'] },
  { seed: 728, operations: 40, finds: ['the cap is counted per referral'] },
  { seed: 2032, operations: 40, finds: ['a step is chosen without the event itself'] },
];
