import type { ProgramKind, ProgramStatus } from './queries.ts';

/** The facts about a program that describe the effects of a change. */
export interface MoveFacts {
  readonly kind: ProgramKind;
  readonly status: ProgramStatus;
  readonly landingPageUrl: string;
  readonly startDate: string | null;
  /** Null if the user may not see them. */
  readonly counts: { readonly enrollments: number; readonly referrals: number } | null;
  readonly ruleCount: number | null;
}

export interface Move {
  readonly to: ProgramStatus;
  /** The verb on the button. */
  readonly action: string;
  readonly title: string;
  /** Its effects, one sentence each. */
  readonly effects: readonly string[];
  readonly isDangerous: boolean;
  /** Why it is not possible now. */
  readonly obstacle: string | null;
}

const NEXT: Readonly<Record<ProgramStatus, readonly ProgramStatus[]>> = {
  draft: ['active', 'archived'],
  active: ['paused', 'ended'],
  paused: ['active', 'ended'],
  ended: ['archived'],
  archived: [],
};

/** Every change of status that is possible in the program's current state. */
export function movesOf(facts: MoveFacts): readonly Move[] {
  return NEXT[facts.status].map((to) => describeMove(facts, to));
}

function describeMove(facts: MoveFacts, to: ProgramStatus): Move {
  switch (to) {
    case 'active':
      return facts.status === 'paused' ? resume(facts) : activate(facts);
    case 'paused':
      return pause(facts);
    case 'ended':
      return end(facts);
    default:
      return archive(facts);
  }
}

function activate(facts: MoveFacts): Move {
  const { kind, landingPageUrl, startDate, ruleCount, counts } = facts;
  const lacksPage = kind !== 'loyalty' && landingPageUrl === '';
  return {
    to: 'active',
    action: 'Activate',
    title: 'Activate this program?',
    isDangerous: false,
    obstacle: lacksPage ? 'First set the landing page under Settings.' : null,
    effects: [
      startDate === null
        ? 'It starts now.'
        : 'It starts on its start date, or now if that has passed.',
      ...(kind === 'loyalty'
        ? ['From then on, customers earn by its rules.']
        : [
            `Links lead to ${landingPageUrl} and bring referrals.`,
            ...(counts && counts.enrollments > 0
              ? [`${people(counts.enrollments)} who joined already can share right away.`]
              : []),
          ]),
      ruleCount === 0
        ? 'It has no rules yet, so nobody earns anything until you add one.'
        : 'Rewards are earned by its rules.',
      'It cannot become a draft again. Later you can pause or end it.',
    ],
  };
}

function resume({ kind, counts }: MoveFacts): Move {
  return {
    to: 'active',
    action: 'Resume',
    title: 'Resume this program?',
    isDangerous: false,
    obstacle: null,
    effects:
      kind === 'loyalty'
        ? [
            'From now on, customers earn again.',
            'They earn nothing for what they did during the pause.',
          ]
        : [
            `Links of ${people(counts?.enrollments ?? null)} bring referrals again, and people can join.`,
            'People who signed up during the pause get no referrer.',
          ],
  };
}

function pause({ kind, counts }: MoveFacts): Move {
  return {
    to: 'paused',
    action: 'Pause',
    title: 'Pause this program?',
    isDangerous: false,
    obstacle: null,
    effects:
      kind === 'loyalty'
        ? ['Nothing is earned while it is paused.', 'You can resume it at any time.']
        : [
            `Pausing stops new referrals: links of ${people(counts?.enrollments ?? null)} still lead to your page, but count for nobody.`,
            'Nobody can join meanwhile.',
            `${referrals(counts?.referrals ?? null)} it has keep earning.`,
            'You can resume it at any time.',
          ],
  };
}

/** True of ending it, and not of an end date: a later one lets it run again. */
export const ENDED_FOR_GOOD = 'This cannot be undone: an ended program never runs again.';

function end({ kind, counts }: MoveFacts): Move {
  return {
    to: 'ended',
    action: 'End',
    title: 'End this program permanently?',
    isDangerous: true,
    obstacle: null,
    effects: [
      kind === 'loyalty'
        ? 'Nothing that happens from now on earns anything.'
        : `Nothing that happens from now on earns anything: ${referrals(counts?.referrals ?? null).toLowerCase()} it has stop earning, and links of ${people(counts?.enrollments ?? null)} count for nobody.`,
      'What was earned until now is still delivered and paid.',
      ENDED_FOR_GOOD,
    ],
  };
}

function archive({ status }: MoveFacts): Move {
  return {
    to: 'archived',
    action: 'Archive',
    title: 'Archive this program?',
    isDangerous: true,
    obstacle: null,
    effects: [
      status === 'draft'
        ? 'The draft is archived and can never be activated.'
        : 'It leaves the list of programs. Its referrals, rewards and history stay as they are.',
      'This cannot be undone.',
    ],
  };
}

function people(count: number | null): string {
  if (count === null) return 'everybody who joined';
  return count === 1 ? 'the one person who joined' : `${count.toLocaleString()} people`;
}

function referrals(count: number | null): string {
  if (count === null) return 'The referrals';
  return count === 1 ? 'The one referral' : `The ${count.toLocaleString()} referrals`;
}
