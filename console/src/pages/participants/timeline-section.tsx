import { Button, Text, ThemeIcon, Timeline } from '@mantine/core';
import {
  BanknoteIcon,
  GiftIcon,
  Share2Icon,
  ShoppingBagIcon,
  UserIcon,
  UserPlusIcon,
  ZapIcon,
} from 'lucide-react';
import { useState } from 'react';
import { PersonInline } from '../../ui/person-cell.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import type { Tone } from '../../ui/status-badge.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { When } from '../../ui/when.tsx';
import { ProgramLink } from '../people/names.tsx';
import type { ParticipantDetail } from '../people/queries.ts';
import { useAdjustments, useTheirPayouts, useTheirRewards } from './their-story.ts';
import { type Moment, timelineOf } from './timeline.ts';

const ICONS: Record<Moment['kind'], typeof GiftIcon> = {
  signup: UserPlusIcon,
  purchase: ShoppingBagIcon,
  event: ZapIcon,
  referral: Share2Icon,
  reward: GiftIcon,
  payout: BanknoteIcon,
  self: UserIcon,
};
const COLOURS: Record<Tone, string> = {
  good: 'leaf',
  waits: 'blue',
  care: 'orange',
  bad: 'red',
  over: 'gray',
  plain: 'gray',
};
const FIRST = 30;
/** The most that the API returns with a participant. */
const LISTED_MAX = 50;
const ADJUSTMENTS_MAX = 100;

/** Signup, referrals, purchases, rewards and payouts in one timeline. */
export function TimelineSection({ detail }: { detail: ParticipantDetail }) {
  const [isWhole, setWhole] = useState(false);
  const { id } = detail.participant;
  const rewards = useTheirRewards(id);
  const payouts = useTheirPayouts(id);
  const adjustments = useAdjustments({ beneficiaryParticipantId: id });
  const asked = [rewards, payouts, adjustments];
  if (asked.some(({ isLoading }) => isLoading)) {
    return (
      <Section title="Timeline">
        <Lines count={8} height={32} />
      </Section>
    );
  }
  // Without them the timeline would be wrong: as if nothing had been refunded or paid.
  const failed = asked.find(({ isError }) => isError);
  const moments = timelineOf({
    detail,
    rewards: rewards.data?.rewards ?? [],
    payouts: payouts.data?.payouts ?? [],
    adjustments: adjustments.data ?? [],
  });
  const shown = isWhole ? moments : moments.slice(0, FIRST);
  const isCut =
    rewards.data?.isAll === false ||
    payouts.data?.isAll === false ||
    (adjustments.data?.length ?? 0) >= ADJUSTMENTS_MAX ||
    [detail.events, detail.referrals].some(({ length }) => length >= LISTED_MAX);
  return (
    <Section
      title="Timeline"
      intro={
        isCut
          ? 'The newest 50 events and referrals, and 100 rewards, refunds and payouts; the lists have all of them.'
          : undefined
      }
    >
      {failed && <ErrorState error={failed.error} retry={() => void failed.refetch()} />}
      <Timeline bulletSize={28} lineWidth={2}>
        {shown.map((moment) => (
          <OneMoment key={moment.key} moment={moment} />
        ))}
      </Timeline>
      {shown.length < moments.length && (
        <div>
          <Button variant="default" onClick={() => setWhole(true)}>
            Show {moments.length - shown.length} earlier
          </Button>
        </div>
      )}
    </Section>
  );
}

function OneMoment({ moment }: { moment: Moment }) {
  const { kind, tone, title, detail, about, person, programId, at } = moment;
  const Icon = ICONS[kind];
  return (
    <Timeline.Item
      bullet={
        <ThemeIcon size={28} variant="light" color={COLOURS[tone]} radius="xl">
          <Icon size={16} aria-hidden />
        </ThemeIcon>
      }
      title={
        <span>
          {about ? (
            <ThingLink type={about.type} id={about.id}>
              {title}
            </ThingLink>
          ) : (
            title
          )}
          {programId && (
            <>
              {' '}
              <ProgramLink id={programId} />
            </>
          )}
          {person && (
            <>
              {' '}
              {person.before} <PersonInline id={person.id} />
            </>
          )}
        </span>
      }
    >
      <Text size="sm" c="dimmed">
        <When at={at} />
        {detail && ` · ${detail}`}
      </Text>
    </Timeline.Item>
  );
}
