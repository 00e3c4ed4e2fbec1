import { Text } from '@mantine/core';
import { SortedTable } from '../../../ui/lists/sorted-table.tsx';
import { PersonCell } from '../../../ui/person-cell.tsx';
import { Section } from '../../../ui/section.tsx';
import { ThingLink } from '../../../ui/thing-link.tsx';
import { When } from '../../../ui/when.tsx';
import type { ReviewDetail } from '../queries.ts';
import { ReviewBadge } from '../signals.tsx';
import { sumPurchases } from './purchase-words.ts';

/** Whom else the referrer brought, and how those referrals were judged. */
export function OtherReferrals({ review: { otherReferrals, referrer } }: { review: ReviewDetail }) {
  if (otherReferrals.length === 0) {
    return (
      <Section title="Their other referrals">
        <Text c="dimmed">
          <ThingLink type="participant" id={referrer.participantId}>
            The referrer
          </ThingLink>{' '}
          brought nobody else.
        </Text>
      </Section>
    );
  }
  return (
    <Section title="Their other referrals" intro="The newest first.">
      <div className="figures-table">
        <SortedTable
          rows={otherReferrals}
          idOf={({ referralId }) => referralId}
          columns={[
            {
              title: 'Referred',
              cell: ({ referee }) => <PersonCell id={referee.participantId} person={referee} />,
            },
            {
              title: 'Since',
              sortBy: ({ boundAt }) => boundAt,
              cell: ({ referralId, boundAt }) => (
                <ThingLink type="referral" id={referralId}>
                  <When at={boundAt} />
                </ThingLink>
              ),
            },
            {
              title: 'Purchases',
              sortBy: ({ purchases }) => purchases,
              cell: (one) => sumPurchases([one]),
            },
            {
              title: 'Score',
              align: 'end',
              sortBy: ({ score }) => score,
              cell: ({ score }) => score ?? '–',
            },
            {
              title: 'Review',
              cell: ({ reviewStatus }) =>
                reviewStatus ? <ReviewBadge status={reviewStatus} /> : '–',
            },
          ]}
        />
      </div>
    </Section>
  );
}
