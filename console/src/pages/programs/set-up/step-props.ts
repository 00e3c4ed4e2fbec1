import type { Draft } from './draft.ts';

export interface StepProps {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
  /** The program exists, so its settings are fixed here. */
  readonly isLocked: boolean;
  /** Whether to show what is missing: after the user tried to continue. */
  readonly isTried: boolean;
}
