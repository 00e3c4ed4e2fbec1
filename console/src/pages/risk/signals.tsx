import './risk.css';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import type { FiredSignal, Review, ReviewStatus } from './queries.ts';
import { signalLabel } from './words/signal-words.ts';

const mostFirst = (one: FiredSignal, other: FiredSignal) => other.points - one.points;

/** What fired, the most telling first; the sentence of each on hover and focus. */
export function SignalBadges({ signals }: { signals: readonly FiredSignal[] }) {
  return (
    <ul className="signal-badges" aria-label="Signals">
      {signals.toSorted(mostFirst).map(({ signal, sentence }) => (
        <li key={signal}>
          <StatusBadge tone="care" label={signalLabel(signal)} explanation={sentence} />
        </li>
      ))}
    </ul>
  );
}

/** What fired in full: its sentence and its points. */
export function FiredSignals({ signals }: { signals: readonly FiredSignal[] }) {
  return (
    <ul className="fired">
      {signals.toSorted(mostFirst).map(({ signal, sentence, points }) => (
        <li key={signal}>
          <strong>{signalLabel(signal)}</strong>
          <span className="fired-bar" aria-hidden>
            <span style={{ width: `${points}%` }} />
          </span>
          <span className="fired-points" title="Points">
            +{points}
          </span>
          <p>{sentence}</p>
        </li>
      ))}
    </ul>
  );
}

export function Score({ score, reviewAt }: Pick<Review, 'score' | 'reviewAt'>) {
  return (
    <span className="score">
      <strong>{score}</strong> <small>review from {reviewAt}</small>
    </span>
  );
}

const STATES: Readonly<Record<ReviewStatus, readonly [Tone, string, string]>> = {
  open: ['care', 'Open', 'Its rewards wait until somebody has decided.'],
  approved: ['good', 'Approved', 'Its rewards were released. It is not reviewed again.'],
  rejected: ['bad', 'Rejected', 'Its rewards were voided, and it earns nothing more.'],
};

export function ReviewBadge({ status }: { status: ReviewStatus }) {
  const [tone, label, explanation] = STATES[status];
  return <StatusBadge tone={tone} label={label} explanation={explanation} />;
}

/** What its state means. */
export const stateSentence = (status: ReviewStatus): string => STATES[status][2];
