import type { Draft } from './draft.ts';

export interface StepProps {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
  /** The Program is made, so what it was made with stands. */
  readonly isLocked: boolean;
  /** Whether to say what is missing: once somebody wanted to go on. */
  readonly isTried: boolean;
}
