import type { Row } from '../../api/client.ts';
import type { Tone } from '../../ui/status-badge.tsx';

export type Partner = Row<'/v1/partners'>;
export type Application = Row<'/v1/partner-applications'>;

interface State {
  readonly tone: Tone;
  readonly label: string;
  readonly explanation: string;
}

export const PARTNER_STATES: Readonly<Record<Partner['status'], State>> = {
  active: {
    tone: 'good',
    label: 'Active',
    explanation: 'Its codes and links bring referrals, which earn rewards that are paid.',
  },
  suspended: {
    tone: 'bad',
    label: 'Suspended',
    explanation:
      'It gets no new referrals, earns nothing new and is not paid. It keeps what it earned before.',
  },
};

const ERASED: State = {
  tone: 'over',
  label: 'Erased',
  explanation:
    'Name, e-mail and payout details are deleted permanently. Amounts are kept under its id.',
};

export const stateOfPartner = ({ status, erasedAt }: Partner): State =>
  erasedAt ? ERASED : PARTNER_STATES[status];

export const APPLICATION_STATES: Readonly<Record<Application['status'], State>> = {
  pending: {
    tone: 'waits',
    label: 'Waiting for you',
    explanation: 'The address is verified. Approve or reject it.',
  },
  approved: {
    tone: 'good',
    label: 'Approved',
    explanation: 'The applicant is now a partner, with a code and a link in the program.',
  },
  rejected: {
    tone: 'over',
    label: 'Rejected',
    explanation: 'You rejected it. They may apply again.',
  },
  withdrawn: {
    tone: 'over',
    label: 'Withdrawn',
    explanation: 'It was erased before it was decided.',
  },
};

const UNVERIFIED: State = {
  tone: 'care',
  label: 'E-mail not verified',
  explanation:
    'They have to open the link in their mail first. Only then can it be approved; rejecting is possible.',
};

export const stateOfApplication = ({ status, emailVerifiedAt }: Application): State =>
  status === 'pending' && !emailVerifiedAt ? UNVERIFIED : APPLICATION_STATES[status];

/** Their data is gone, so there is nothing left to erase. */
export const isErased = ({ name, email }: Application): boolean => name === null && email === null;
