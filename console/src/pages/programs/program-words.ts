import type { Tone } from '../../ui/status-badge.tsx';
import type { ProgramKind, ProgramStatus, ProgramSummary } from './queries.ts';

interface KindWords {
  readonly label: string;
  /** One sentence on who does what in it. */
  readonly meaning: string;
}

export const KINDS: Readonly<Record<ProgramKind, KindWords>> = {
  referral: {
    label: 'Referral',
    meaning: 'Your customers invite people they know. Both sides can be rewarded.',
  },
  affiliate: {
    label: 'Affiliate',
    meaning: 'Partners that you approve bring customers, usually for a share of their purchases.',
  },
  loyalty: {
    label: 'Loyalty',
    meaning: 'Customers are rewarded for what they do themselves. There are no links.',
  },
};

interface StatusWords {
  readonly label: string;
  readonly tone: Tone;
  readonly meaning: string;
}

const STATUSES: Readonly<Record<ProgramStatus, StatusWords>> = {
  draft: {
    label: 'Draft',
    tone: 'plain',
    meaning: 'Not running yet: links lead to your page, but create no referrals and no rewards.',
  },
  active: { label: 'Active', tone: 'good', meaning: 'People are referred and earn rewards.' },
  paused: {
    label: 'Paused',
    tone: 'waits',
    meaning: 'No new referrals, and nobody can join. Existing referrals keep earning.',
  },
  ended: {
    label: 'Ended',
    tone: 'over',
    meaning: 'Nothing new is earned. What was earned before is still delivered.',
  },
  archived: {
    label: 'Archived',
    tone: 'over',
    meaning: 'Ended permanently and hidden from lists. Its history is kept.',
  },
};

const LOYALTY: Partial<Record<ProgramStatus, string>> = {
  draft: 'Not running yet: no event earns anything.',
  active: 'What customers do earns rewards.',
  paused: 'Nothing is earned until it is resumed.',
};

interface Dated {
  readonly kind: ProgramKind;
  readonly status: ProgramStatus;
  readonly startDate: string | null;
}

/** The state of a program in words; an active one that starts later is only scheduled. */
export function describeStatus({ kind, status, startDate }: Dated, nowMs: number): StatusWords {
  if (status === 'active' && startDate !== null && Date.parse(startDate) > nowMs) {
    return {
      label: 'Scheduled',
      tone: 'waits',
      meaning: 'Activated; it starts on its start date.',
    };
  }
  const words = STATUSES[status];
  const meaning = kind === 'loyalty' ? LOYALTY[status] : undefined;
  return meaning === undefined ? words : { ...words, meaning };
}

/** Values of `?show=` in the address: current, ended, or all. */
export const SHOWN: Readonly<Record<string, readonly ProgramStatus[]>> = {
  current: ['draft', 'active', 'paused'],
  over: ['ended', 'archived'],
  all: ['draft', 'active', 'paused', 'ended', 'archived'],
};

/** `14 free months earned: 3 granted, 10 waiting, 1 voided.` */
export function describeUnitTotals(unit: ProgramSummary['customTotals'][number]): string {
  const { earnedQuantity, name, namePlural } = unit;
  const parts = [
    [unit.fulfilledQuantity, 'granted'],
    [unit.pendingQuantity, 'waiting'],
    [unit.voidedQuantity, 'voided'],
  ] as const;
  const phrases = parts
    .filter(([quantity]) => quantity > 0)
    .map(([quantity, word]) => `${quantity.toLocaleString()} ${word}`);
  const total = `${earnedQuantity.toLocaleString()} ${earnedQuantity === 1 ? name : namePlural}`;
  return `${total} earned${phrases.length > 0 ? `: ${phrases.join(', ')}` : ''}.`;
}
