import { join } from '../../../ui/words.ts';
import type { RiskChoice } from '../queries.ts';
import { SIGNAL_NAMES, signalLabel } from './signal-words.ts';

type Mode = RiskChoice['mode'];

export const MODES: Readonly<Record<Mode, { readonly label: string; readonly meaning: string }>> = {
  off: {
    label: 'Off',
    meaning: 'Referrals are not judged.',
  },
  observe: {
    label: 'Observe',
    meaning: 'Every referral gets a score that you can look at. Nothing is held.',
  },
  review: {
    label: 'Review',
    meaning: 'Rewards of a referral with a high score wait until somebody has decided.',
  },
};

/** The meaning of a policy: what happens first, then the signals that matter most. */
export function describeRisk({ mode, points, reviewAt }: RiskChoice): string[] {
  if (mode === 'off') return ['Referrals are not judged, and nothing is held.'];
  const named = (isMeant: (points: number) => boolean) =>
    SIGNAL_NAMES.filter((signal) => isMeant(points[signal])).map((signal) =>
      signalLabel(signal).toLowerCase(),
    );
  const alone = named((given) => given >= reviewAt);
  const unused = named((given) => given === 0);
  return [
    mode === 'review'
      ? `A referral with a score of ${reviewAt} or more is reviewed: its rewards wait until somebody has decided.`
      : `Every referral gets a score, and nothing is held. From ${reviewAt} on, it would be reviewed.`,
    ...(alone.length > 0 ? [`Enough by itself: ${join(alone)}.`] : ['No signal is enough alone.']),
    ...(unused.length > 0 ? [`Does not count: ${join(unused)}.`] : []),
  ];
}

/** A policy as typed. */
export interface RiskText {
  readonly mode: Mode;
  readonly reviewAt: string;
  readonly points: Readonly<Record<string, string>>;
}

export const toText = ({ mode, reviewAt, points }: RiskChoice): RiskText => ({
  mode,
  reviewAt: String(reviewAt),
  points: Object.fromEntries(SIGNAL_NAMES.map((signal) => [signal, String(points[signal])])),
});

/** The number that was typed; null if it is none within these bounds. */
export function readWhole(text: string, least: number, most: number): number | null {
  const value = /^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}

/** Null while a number is invalid. */
export function toChoice({ mode, reviewAt, points }: RiskText): RiskChoice | null {
  const limit = readWhole(reviewAt, 1, 100);
  const read = SIGNAL_NAMES.map((signal) => [signal, readWhole(points[signal] ?? '', 0, 100)]);
  if (limit === null || read.some(([, value]) => value === null)) return null;
  return { mode, reviewAt: limit, points: Object.fromEntries(read) as RiskChoice['points'] };
}
