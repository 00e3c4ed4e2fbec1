import type { Answer } from '../../api/client.ts';
import { countOf, join } from '../../ui/words.ts';

/** Who is mailed, and who is left out for which reason. */
export type Reminders = Answer<'/v1/payouts/reminders', 'post'>['data'];
type SkipReason = Reminders['skipped'][number]['reason'];

const REASONS: Readonly<Record<SkipReason, string>> = {
  no_address: 'No e-mail address',
  unusable_address: 'No mail can be sent to the address',
  unsubscribed: 'Unsubscribed',
  bounced_before: 'The address was refused for good',
  reminded_lately: 'Mailed about it within the last seven days',
  not_waiting: 'Have payout details, or nothing to be paid',
};

export interface LeftOutGroup {
  readonly label: string;
  readonly count: number;
  /** Not all of them if they are many. */
  readonly participantIds: readonly string[];
}

/** Those who get no mail, by reason; the order is always the same. */
export function groupLeftOut({
  skipped,
  skippedReasons,
}: Pick<Reminders, 'skipped' | 'skippedReasons'>): LeftOutGroup[] {
  return Object.entries(REASONS).flatMap(([reason, label]) => {
    const count = skippedReasons.find((one) => one.reason === reason)?.count ?? 0;
    const mine = skipped.filter((one) => one.reason === reason);
    const participantIds = mine.map(({ participantId }) => participantId);
    return count === 0 ? [] : [{ label, count, participantIds }];
  });
}

const people = (count: number) => countOf(count, 'person', 'people');

/** What a call would do. */
export function sayPlan({ reminded, isMore }: Reminders): string {
  if (reminded.length === 0) return 'Nobody can be reminded now.';
  const all = `${people(reminded.length)} will get a mail that asks for payout details.`;
  return isMore ? `${all} There are more: send again afterwards.` : all;
}

/** What a call has done. */
export function sayDone({ reminded, skippedCount, isMore }: Reminders): string {
  const parts = [
    `${people(reminded.length)} reminded`,
    ...(skippedCount === 0 ? [] : [`${people(skippedCount)} left out`]),
  ];
  return `${join(parts)}.${isMore ? ' There are more: send again.' : ''}`;
}
