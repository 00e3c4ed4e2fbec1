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
  { seed: 2032, operations: 40, finds: ['a step is chosen without the event itself'] },
];
