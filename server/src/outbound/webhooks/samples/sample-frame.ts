import type { NewId } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';

/** The common values of all objects of one sample. */
export interface SampleFrame {
  readonly projectId: string;
  readonly now: Instant;
  readonly newId: NewId;
}
