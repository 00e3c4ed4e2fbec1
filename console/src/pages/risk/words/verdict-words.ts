import type { Explanation } from '../../people/queries.ts';
import { signalLabel } from './signal-words.ts';

export type Verdict = NonNullable<Explanation['risk']>;

/** `Score 35: same network (25), quick signup (10).` */
export function scoreSentence({ score, signals }: Pick<Verdict, 'score' | 'signals'>) {
  const found = signals.map(
    ({ signal, points }) => `${signalLabel(signal).toLowerCase()} (${points})`,
  );
  const because = found.length > 0 ? found.join(', ') : 'nothing speaks against it';
  return `Score ${score}: ${because}.`;
}

/** What follows from a score. */
export function consequenceSentence({ score, reviewAt, mode, reviewId }: Verdict): string {
  if (reviewId !== null) return 'It was sent to review.';
  if (score < reviewAt) return `A review starts at ${reviewAt}.`;
  if (mode === 'observe')
    return 'It would be reviewed, but the program only observes: nothing is held.';
  return 'It is not reviewed again: the referral has had its review.';
}
