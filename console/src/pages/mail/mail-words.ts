import type { Tone } from '../../ui/status-badge.tsx';
import type { Language, MailKind, MailRow, TeamKind } from './queries.ts';

interface Words {
  readonly label: string;
  readonly meaning: string;
}

export const PERSON_KINDS: Readonly<Record<MailKind, Words>> = {
  friend_joined: {
    label: 'A friend joined',
    meaning: 'To the referrer, when a referral is bound.',
  },
  reward_earned: { label: 'You earned', meaning: 'The reward, and from when it is available.' },
  payout_ordered: { label: 'On its way', meaning: 'When a payout was submitted.' },
  reward_paid: { label: 'Paid', meaning: 'When a payout was paid, or a reward delivered.' },
  payout_details_missing: {
    label: 'Payout details missing',
    meaning:
      'Once for each program, when cash is due and there is no account to pay it to. You can also send reminders.',
  },
  partner_welcome: {
    label: 'You are a partner now',
    meaning: 'When an application is approved, once for each program.',
  },
};

export const TEAM_KINDS: Readonly<Record<TeamKind, Words>> = {
  partner_application_received: {
    label: 'Partner application received',
    meaning: 'To members who may decide on applications.',
  },
  payout_batch_to_approve: {
    label: 'Payout batch to approve',
    meaning: 'To members who may approve payouts.',
  },
  webhook_endpoint_failing: {
    label: 'Webhook endpoint failing',
    meaning: 'To members who may change endpoints, once a week while it fails.',
  },
};

export function kindLabel(kind: MailRow['kind']): string {
  return ({ ...PERSON_KINDS, ...TEAM_KINDS } as Record<string, Words>)[kind]?.label ?? kind;
}

export const LANGUAGES: Readonly<Record<Language, string>> = {
  en: 'English',
  ar: 'العربية',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ja: '日本語',
};

interface StateWords {
  readonly tone: Tone;
  readonly label: string;
  readonly explanation: string;
}

const STATES: Readonly<Record<MailRow['state'], StateWords>> = {
  waiting: { tone: 'waits', label: 'Waiting', explanation: 'It will be sent in a moment.' },
  sending: {
    tone: 'waits',
    label: 'Being sent',
    explanation: 'The mail server has not answered yet.',
  },
  sent: { tone: 'good', label: 'Sent', explanation: 'The mail server accepted it.' },
  unknown: {
    tone: 'care',
    label: 'Unknown',
    explanation:
      'The connection or the service ended before the answer. It may have arrived, so it is not sent again.',
  },
  failed: { tone: 'bad', label: 'Failed', explanation: 'The mail server did not accept it.' },
  bounced: {
    tone: 'bad',
    label: 'Bounced',
    explanation: 'The address was refused for good. Nothing is sent until it changes.',
  },
  suppressed: {
    tone: 'over',
    label: 'Suppressed',
    explanation: 'The recipient gets no such mails.',
  },
  dropped: { tone: 'over', label: 'Not sent', explanation: 'Something was missing.' },
  preview: { tone: 'plain', label: 'Preview', explanation: 'This sandbox sends no mails.' },
};

const REASONS: Readonly<Record<NonNullable<MailRow['reason']>, string | null>> = {
  connection_lost: null,
  interrupted: null,
  recipient_refused: null,
  reported_later: 'The mail provider reported later that it could not be delivered.',
  sandbox: null,
  retry_scheduled: 'The mail server was busy or not reachable. It is tried again.',
  attempts_exhausted: 'The mail server did not accept it in two days.',
  content_refused: 'The mail server refused its content.',
  no_address: 'The recipient has no e-mail address.',
  unusable_address: 'No mail can be sent to the recipient’s e-mail address.',
  smtputf8_unsupported: 'The mail server does not support letters such as ü before the @.',
  no_sender: 'The project has no sender.',
  switched_off: 'This kind of mail was switched off.',
  no_longer_known: 'What it is about no longer exists.',
  unsubscribed: 'The recipient unsubscribed.',
  bounced_before: 'An earlier mail to this address was refused for good.',
  not_listed: 'The address is not in the list of this sandbox.',
};

type Described = Pick<MailRow, 'state' | 'reason'> & Partial<Pick<MailRow, 'bounce'>>;

export function describeState({ state, reason, bounce }: Described): StateWords {
  const words = STATES[state];
  const why = reason === null ? null : REASONS[reason];
  if (why === null) return words;
  return { ...words, explanation: bounce?.diagnostic ? `${why} ${bounce.diagnostic}` : why };
}
