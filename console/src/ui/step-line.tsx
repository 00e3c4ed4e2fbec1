import './step-line.css';
import type { ReactNode } from 'react';
import { When } from './when.tsx';

/** A step on the way of a thing. `bad` is a step off the way: cancelled, failed. */
export interface Step {
  readonly label: string;
  readonly state: 'done' | 'now' | 'next' | 'bad';
  /** When it happened, or will. */
  readonly at?: string | null;
}

const SAYS: Readonly<Record<Step['state'], string>> = {
  done: 'done',
  now: 'current step',
  next: 'to come',
  bad: 'ended here',
};

/** The steps of a thing in a line, from its beginning to its end. */
export function StepLine({
  steps,
  label,
  clock = 'project',
}: {
  readonly steps: readonly Step[];
  readonly label: string;
  readonly clock?: 'project' | 'real';
}): ReactNode {
  return (
    <ol className="step-line" aria-label={label}>
      {steps.map((step) => (
        <li
          key={step.label}
          className={`step-${step.state}`}
          aria-current={step.state === 'now' ? 'step' : undefined}
        >
          <span className="step-label">
            {step.label}
            <span className="step-says"> ({SAYS[step.state]})</span>
          </span>
          {step.at && (
            <span className="step-at">
              <When at={step.at} clock={clock} />
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
