import { useQuery } from '@tanstack/react-query';
import { useProject } from '../../../app/project.ts';
import { useMay } from '../../../app/session.ts';
import { Breakable } from '../../../ui/breakable.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { PersonCell } from '../../../ui/person-cell.tsx';
import { When } from '../../../ui/when.tsx';
import { participantQuery } from '../../people/queries.ts';
import type { ReviewDetail } from '../queries.ts';
import { sayCount, sumPurchases } from './purchase-words.ts';

/** The referrer and the person they referred, side by side. */
export function Sides({ review }: { review: ReviewDetail }) {
  const { referrer, referee, otherReferrals, purchases, refundedPurchases } = review;
  const own = { purchases, refundedPurchases };
  return (
    <div className="sides">
      <Side
        title="Referrer"
        party={referrer}
        referred={sayCount(otherReferrals.length + 1, OTHERS_MAX + 1)}
        bought={['Their purchases', sumPurchases([own, ...otherReferrals])]}
      />
      <Side title="Referred" party={referee} bought={['Purchases', sumPurchases([own])]} />
    </div>
  );
}

/** More referrals of the referrer are not listed. */
const OTHERS_MAX = 50;

interface SideProps {
  readonly title: string;
  readonly party: ReviewDetail['referrer'];
  readonly referred?: string;
  readonly bought: readonly [string, string];
}

function Side({ title, party, referred, bought }: SideProps) {
  const { id: projectId } = useProject();
  const { participantId } = party;
  const { data } = useQuery({
    ...participantQuery(projectId, participantId),
    enabled: useMay('participants:read'),
  });
  const person = data?.participant;
  const above = data?.referredBy?.referrerParticipantId;
  const [name, purchases] = bought;
  return (
    <section className="side" aria-label={title}>
      <p className="side-role">{title}</p>
      <PersonCell id={participantId} person={person ?? party} />
      <Facts
        rows={[
          person?.email ? ['E-mail', <Breakable key="e" text={person.email} />] : undefined,
          person ? ['First seen', <When key="s" at={person.createdAt} />] : undefined,
          referred !== undefined && above
            ? ['Referred by', <PersonCell key="a" id={above} />]
            : undefined,
          ['Referred', referred ?? (data ? sayCount(data.referrals.length) : '–')],
          [name, purchases],
        ]}
      />
    </section>
  );
}
