/** The machine's time in epoch milliseconds. Decisions get times as values, never this. */
export interface Clock {
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };
