import { ActionIcon, Tooltip } from '@mantine/core';
import { CheckIcon, XIcon } from 'lucide-react';
import type { Column } from '../../../ui/data-table.tsx';
import { personLabel } from '../../../ui/person.ts';
import { PersonCell } from '../../../ui/person-cell.tsx';
import { ThingLink } from '../../../ui/thing-link.tsx';
import { When } from '../../../ui/when.tsx';
import { countOf } from '../../../ui/words.ts';
import { ProgramLink } from '../../people/names.tsx';
import { sumText } from '../decide/decision-words.ts';
import type { Decision, Review } from '../queries.ts';
import { ReviewBadge, Score, SignalBadges } from '../signals.tsx';

export type Ask = (decision: Decision, reviews: readonly Review[]) => void;

const SHOWN: readonly Column<Review>[] = [
  {
    title: 'Score',
    width: '5.5rem',
    sortBy: ({ score }) => score,
    cell: (review) => (
      <ThingLink type="risk_review" id={review.id}>
        <Score {...review} />
      </ThingLink>
    ),
  },
  {
    title: 'Referrer',
    cell: ({ referrer }) => <PersonCell id={referrer.participantId} person={referrer} />,
  },
  {
    title: 'Referred',
    cell: ({ referee }) => <PersonCell id={referee.participantId} person={referee} />,
  },
  {
    title: 'Why',
    width: 'minmax(0, 1.4fr)',
    cell: ({ signals }) => <SignalBadges signals={signals} />,
  },
  {
    title: 'Held',
    width: 'minmax(5.5rem, 0.6fr)',
    cell: (review) => <Held review={review} />,
  },
  {
    title: 'Opened',
    width: 'minmax(7rem, 0.8fr)',
    sortBy: ({ openedAt }) => openedAt,
    cell: ({ openedAt, programId }) => (
      <div className="two-lines">
        <When at={openedAt} />
        <span>
          <ProgramLink id={programId} />
        </span>
      </div>
    ),
  },
];

function Held({ review }: { review: Review }) {
  if (review.heldRewards === 0) return '–';
  const worth = sumText([review]);
  const count = countOf(review.heldRewards, 'reward');
  return worth ? (
    <div className="two-lines">
      <span className="figure">{worth}</span>
      <span>{count}</span>
    </div>
  ) : (
    count
  );
}

/** In a list of open reviews each can be decided; in others its state is shown. */
export function queueColumns(isOpen: boolean, ask: Ask | null): readonly Column<Review>[] {
  if (!isOpen) {
    const cell = ({ status }: Review) => <ReviewBadge status={status} />;
    return [...SHOWN, { title: 'State', width: '6.5rem', cell }];
  }
  if (ask === null) return SHOWN;
  const cell = (review: Review) => <RowActions review={review} ask={ask} />;
  return [...SHOWN, { title: 'Decision', width: '5.5rem', cell }];
}

function RowActions({ review, ask }: { review: Review; ask: Ask }) {
  const { referrer, referee } = review;
  const [by, of] = [referrer, referee].map((one) => personLabel(one, one.participantId));
  const what = `the referral of ${of} by ${by}`;
  return (
    <div className="row-actions">
      <Tooltip label="Approve">
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={`Approve ${what}`}
          onClick={() => ask('approve', [review])}
        >
          <CheckIcon size={17} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Reject">
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={`Reject ${what}`}
          onClick={() => ask('reject', [review])}
        >
          <XIcon size={17} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
