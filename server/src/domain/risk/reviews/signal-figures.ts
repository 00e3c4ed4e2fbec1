import { type Figure, figure } from '../../../platform/figures/tally.ts';
import { RISK_SIGNALS } from '../../programs/policies/risk-policy.ts';
import type { ReviewStatus, SignalFigures } from '../schema.ts';
import type { ReviewRow } from './review.ts';

/** The part of a Project's and a Program's figures that counts the reviews of each signal. */
export const SIGNAL_FIGURES = 'signals';

const nameOf = (signal: string, status: ReviewStatus) => `${signal}:${status}`;

/** What a review counts for its signals, in its Project and in its Program. */
export function signalFiguresOf({
  projectId,
  programId,
  signals,
  status,
}: Pick<ReviewRow, 'projectId' | 'programId' | 'status'> & {
  readonly signals: readonly { readonly signal: string }[];
}): Figure[] {
  return [projectId, programId].flatMap((subject) =>
    signals.map(({ signal }) => figure(subject, SIGNAL_FIGURES, nameOf(signal, status))),
  );
}

/** Per signal, how its reviews ended. */
export function readSignalFigures(figures: readonly Figure[]): SignalFigures[] {
  const counts = new Map(figures.map(({ name, value }) => [name, Number(value)]));
  return RISK_SIGNALS.map((signal) => {
    const of = (status: ReviewStatus) => counts.get(nameOf(signal, status)) ?? 0;
    return { signal, open: of('open'), approved: of('approved'), rejected: of('rejected') };
  });
}
