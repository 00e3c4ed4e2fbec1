import type { NewId } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';

/** What all objects of one sample have in common. */
export interface SampleFrame {
  readonly projectId: string;
  readonly now: Instant;
  readonly newId: NewId;
}
