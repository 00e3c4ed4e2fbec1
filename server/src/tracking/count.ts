import type { Instant } from '../kit/instant.ts';
import type { Recorder } from './recorder.ts';
import { counterKey, type TrackSlice } from './slice.ts';

/** Adds to a counter. `firstAt` is kept from the first time that one was given. */
export function addToCounter(
  slice: TrackSlice,
  recorder: Recorder,
  subject: string,
  name: string,
  delta: bigint | number,
  firstAt: Instant | null = null,
): void {
  const key = counterKey(subject, name);
  const counter = slice.counters.get(key) ?? { value: 0n, firstAt: null };
  counter.value += BigInt(delta);
  counter.firstAt ??= firstAt;
  slice.counters.set(key, counter);
  const change = recorder.made.counted.get(key) ?? { delta: 0n, firstAt: null };
  change.delta += BigInt(delta);
  change.firstAt ??= firstAt;
  recorder.made.counted.set(key, change);
}
