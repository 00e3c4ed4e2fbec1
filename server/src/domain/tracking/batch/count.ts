import { addToTally, type Figure } from '../../../platform/figures/tally.ts';
import type { Recorder } from './recorder.ts';
import type { TrackSlice } from './slice.ts';

/** Adds to figures, for the commands after to see and for the store to save. */
export function count(slice: TrackSlice, recorder: Recorder, figures: readonly Figure[]): void {
  for (const one of figures) {
    addToTally(slice.figures, one);
    addToTally(recorder.made.counted, one);
  }
}
