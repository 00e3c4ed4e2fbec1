import '../risk.css';
import { Button, Stack } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { placeOf } from '../../../app/find-place.ts';
import { useProject } from '../../../app/project.ts';
import { useMay } from '../../../app/session.ts';
import { MissingPage } from '../../../ui/missing-page.tsx';
import { Page } from '../../../ui/page.tsx';
import { RawJson } from '../../../ui/raw-json.tsx';
import { Section } from '../../../ui/section.tsx';
import { neighboursOf } from '../../../ui/shown-lists.ts';
import { usePersonLabel } from '../../../ui/use-person.ts';
import { type Asked, DecisionDialog } from '../decide/decision-dialog.tsx';
import { effectsOf } from '../decide/decision-words.ts';
import { type Decision, type ReviewDetail, reviewQuery } from '../queries.ts';
import { RingDrawing } from '../ring/ring-drawing.tsx';
import { FiredSignals, ReviewBadge, Score, stateSentence } from '../signals.tsx';
import { HeldRewards } from './held-rewards.tsx';
import { OtherReferrals } from './other-referrals.tsx';
import { ReviewFacts } from './review-facts.tsx';
import { Sides } from './sides.tsx';

/** One review: who they are, what speaks against them, and the decision. */
export function ReviewPage() {
  const { reviewId = '' } = useParams({ strict: false });
  const project = useProject();
  const { data, error, refetch } = useQuery(reviewQuery(project.id, reviewId));
  if (error || !data) {
    return (
      <MissingPage
        title="Review"
        trail={{
          list: { label: 'Reviews', to: '/p/$projectId/reviews' },
          type: 'risk_review',
          id: reviewId,
        }}
        error={error}
        retry={() => void refetch()}
      />
    );
  }
  return <OneReview key={data.id} review={data} />;
}

function OneReview({ review }: { review: ReviewDetail }) {
  const referrer = usePersonLabel(review.referrer.participantId);
  const referee = usePersonLabel(review.referee.participantId);
  const { ring } = review;
  return (
    <Page
      trail={{
        list: { label: 'Reviews', to: '/p/$projectId/reviews' },
        type: 'risk_review',
        id: review.id,
      }}
      title={referrer && referee ? `${referrer} referred ${referee}` : 'Review of a referral'}
      intro={review.status === 'open' ? sayWaiting(review) : stateSentence(review.status)}
      aside={<ReviewBadge status={review.status} />}
      actions={<Decide review={review} />}
    >
      <div className="detail-columns details-last">
        <Stack gap="lg">
          <Section
            title="Why"
            intro="The signals against it, by what was known at the time."
            actions={<Score {...review} />}
          >
            <FiredSignals signals={review.signals} />
          </Section>
          <Section title="Who they are">
            <Sides review={review} />
          </Section>
          {hasMoreThanReferral(ring) && (
            <Section title="What connects them" intro="The people around the referral.">
              <RingDrawing
                ring={ring}
                referrerId={review.referrer.participantId}
                refereeId={review.referee.participantId}
              />
            </Section>
          )}
          <OtherReferrals review={review} />
        </Stack>
        <Stack component="aside" gap="lg" aria-label="About the review">
          <HeldRewards review={review} />
          <ReviewFacts review={review} />
        </Stack>
      </div>
      <RawJson value={review} />
    </Page>
  );
}

/** Beside the referral itself. */
const hasMoreThanReferral = ({ people, links }: ReviewDetail['ring']): boolean =>
  people.length > 2 || links.some(({ kind }) => kind !== 'referral');

const sayWaiting = (review: ReviewDetail): string =>
  review.heldRewards > 0
    ? `If approved: ${lower(effectsOf('approve', [review])[0])} If rejected: ${lower(effectsOf('reject', [review])[0])}`
    : 'No reward is held yet. Rewards that it earns before the decision will be.';

const lower = (sentence = '') => sentence.charAt(0).toLowerCase() + sentence.slice(1);

/** The two decisions, also by the keys of the queue; j and k go to the next and the previous review. */
function Decide({ review }: { review: ReviewDetail }) {
  const { id: projectId } = useProject();
  const navigate = useNavigate();
  const mayDecide = useMay('rewards:write') && review.status === 'open';
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = (decision: Decision) => {
    if (mayDecide && asked === null) setAsked({ decision, reviews: [review] });
  };
  const go = (id: string | null) => {
    const place = id === null || asked ? null : placeOf('risk_review', id);
    if (place) void navigate({ ...place, params: { projectId, ...place.params } as never });
  };
  useHotkeys([
    ['a', () => ask('approve')],
    ['r', () => ask('reject')],
    ['j', () => go(neighboursOf(review.id).next)],
    ['k', () => go(neighboursOf(review.id).previous)],
  ]);
  return (
    <>
      {mayDecide && (
        <>
          <Button onClick={() => ask('approve')} aria-keyshortcuts="a">
            Approve…
          </Button>
          <Button variant="default" onClick={() => ask('reject')} aria-keyshortcuts="r">
            Reject…
          </Button>
        </>
      )}
      {asked && <DecisionDialog asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}
