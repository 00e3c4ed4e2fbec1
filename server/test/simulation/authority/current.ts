import type { VirtualTime } from './virtual-time.ts';

/** What decides of the world that is being played. */
export interface Authority {
  readonly time: VirtualTime;
  readonly random: (max: number) => number;
}

let current: Authority | null = null;

/** Null between worlds: then the machine's own clock, timers and randomness count. */
export const authority = (): Authority | null => current;

export function setAuthority(next: Authority | null): void {
  current = next;
}
