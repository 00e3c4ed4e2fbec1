import { OF_LOYALTY } from './loyalty-defects.ts';
import { OF_PARTNERS } from './partner-defects.ts';
import { OF_PROVIDERS } from './provider-defects.ts';

/** A text of the service that is there exactly once, and what it is replaced by. */
export interface Edit {
  /** Below `server/src`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A mistake that somebody could make. */
export interface Defect {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Why no world can find it. */
  readonly hidden?: string;
}

const DECIDE = 'domain/tracking/decide';
const EARN = 'domain/rewards/decide/earn-rewards.ts';
const STANDING = `${DECIDE}/purchase-standing.ts`;
const ATTRIBUTION = 'domain/attribution/decide-attribution.ts';
const OUTCOME = 'outbound/webhooks/dispatch/decide-outcome.ts';
const RUN_BATCH = 'platform/feed/writer/run-batch.ts';

/** Of the writer, and of what happens between a call and its commit. */
const OF_WRITES: readonly Defect[] = [
  {
    name: 'the head is not locked',
    hidden: 'the embedded engine runs one transaction at a time; test/postgres has the races',
    edits: [
      {
        file: 'platform/feed/store.ts',
        from: `from project_heads where project_id = $1 for no key update\``,
        to: 'from project_heads where project_id = $1`',
      },
    ],
  },
  {
    name: 'a call is answered before its commit',
    edits: [
      {
        file: 'platform/db/database.ts',
        from: 'const [committed, ...writes] = await ending;',
        to: 'return answer; const [committed, ...writes] = await ending;',
      },
    ],
  },
  {
    name: 'the feed is written in a transaction of its own',
    edits: [
      {
        file: RUN_BATCH,
        from: 'const first = head.feedPosition + 1;',
        to: `const first = head.feedPosition + 1;
             await tx.query('commit');
             await tx.query('begin');`,
      },
    ],
  },
  {
    name: 'feed positions are counted by each process',
    edits: [
      {
        file: RUN_BATCH,
        from: 'const first = head.feedPosition + 1;',
        to: `const counter = deps as unknown as { last?: number };
             const first = (counter.last ?? head.feedPosition) + 1;
             counter.last = first + events.length - 1;`,
      },
    ],
  },
  {
    name: 'a change of settings does not reach other processes',
    edits: [
      {
        file: RUN_BATCH,
        from: 'configNumber = head.configNumber + 1;',
        to: 'configNumber = head.configNumber;',
      },
    ],
  },
  {
    name: 'an Idempotency-Key is ignored',
    edits: [
      {
        file: RUN_BATCH,
        from: 'if (!known) return undefined;',
        to: 'if (!known || known.bodyHash === claim.bodyHash) return undefined;',
      },
    ],
  },
  {
    name: 'a known fact is taken again',
    edits: [{ file: `${DECIDE}/fold-event.ts`, from: 'if (first) return first;', to: '' }],
  },
  {
    name: 'a known fact is taken again, and the index of source ids is not unique',
    edits: [
      { file: `${DECIDE}/fold-event.ts`, from: 'if (first) return first;', to: '' },
      {
        file: 'platform/db/migrate.ts',
        from: 'if (next === undefined) return applied;',
        to: `if (next === undefined) {
               await database.transaction((tx) =>
                 tx.script('alter table source_keys drop constraint source_keys_pkey'));
               return applied;
             }`,
      },
    ],
  },
];

const OF_REFERRALS: readonly Defect[] = [
  {
    name: 'the attribution window is a day too long',
    edits: [
      {
        file: ATTRIBUTION,
        from: 'policy.windowDays * DAY_MS',
        to: '(policy.windowDays + 1) * DAY_MS',
      },
    ],
  },
  {
    name: 'first and last touch are mixed up',
    edits: [
      {
        file: ATTRIBUTION,
        from: "model === 'last_touch' ? a.occurredAt",
        to: "model !== 'last_touch' ? a.occurredAt",
      },
    ],
  },
  {
    name: 'people refer themselves',
    edits: [
      {
        file: ATTRIBUTION,
        from: "if (isSelfReferral(referrerId, input, referrers.creatorOf)) return reject('self_referral');",
        to: '',
      },
    ],
  },
  {
    name: 'a browser can be given to a second person',
    edits: [
      {
        file: 'domain/attribution/decide-identify.ts',
        from: 'return handle.participantId === participantId ? handle : undefined;',
        to: 'return handle;',
      },
    ],
  },
  {
    name: 'who has left a program goes on referring',
    edits: [
      {
        file: `${DECIDE}/grant-rewards.ts`,
        from: '(span.endsAt === null || at < span.endsAt),',
        to: 'true,',
      },
    ],
  },
];

const OF_REWARDS: readonly Defect[] = [
  {
    name: 'half a cent is never rounded to an even one',
    edits: [
      {
        file: 'domain/rewards/decide/calculate-reward.ts',
        from: 'return twice > denominator || (twice === denominator && quotient % 2n === 1n);',
        to: 'return twice >= denominator;',
      },
    ],
  },
  {
    name: 'the cap is counted per referral',
    edits: [
      {
        file: EARN,
        from: '{ rule, terms, beneficiaryId }: Judged, { tallies }: Occasion): number {',
        to: '{ rule, terms }: Judged, { tallies, sides }: Occasion): number {',
      },
      {
        file: EARN,
        from: 'tallies.countOf(rule.id, beneficiaryId));\n}',
        to: 'tallies.countOf(rule.id, sides.periodKey));\n}',
      },
    ],
  },
  {
    name: 'a step is chosen without the event itself',
    edits: [
      {
        file: EARN,
        from: 'calculateStep(terms, event.base, value)',
        to: `calculateStep(terms, event.base, terms.tiers
               ? { ...value, value: value.value - event.added[terms.tiers.measure] }
               : value)`,
      },
    ],
  },
  {
    name: 'a signup that waited is measured without the days before it',
    edits: [
      {
        file: 'domain/tracking/batch/load-ledger.ts',
        from: 'const earlier = [...promised, ...waiting',
        to: 'const earlier = [...waiting',
      },
    ],
  },
  {
    name: 'a milestone is earned again after it was lost',
    edits: [{ file: EARN, from: '!known.has(BigInt(at));', to: 'at !== null;' }],
  },
  {
    name: 'a late decision uses the terms of today',
    edits: [
      {
        file: EARN,
        from: 'versionAt(rule.terms, event.occurredAt)',
        to: 'rule.terms.at(-1)',
      },
    ],
  },
  {
    name: 'a granted reward is voided as if it was not',
    edits: [
      {
        file: 'domain/rewards/decide/states.ts',
        from: "void: 'revocation_pending',",
        to: "void: 'cancelled',",
      },
    ],
  },
  {
    name: 'a paused program stops paying',
    edits: [
      {
        file: EARN,
        from: "hasStarted && statusAt(program, at) === 'paused';",
        to: 'false;',
      },
    ],
  },
];

const OF_ADJUSTMENTS: readonly Defect[] = [
  {
    name: 'a refund rounds up',
    edits: [
      {
        file: 'domain/rewards/decide/calculate-reward.ts',
        from: 'purchaseAmountMinor,\n        input.roundingPolicy,',
        to: "purchaseAmountMinor,\n        'up',",
      },
    ],
  },
  {
    name: 'a refund counts twice',
    edits: [
      {
        file: STANDING,
        from: 'refundsMinor += takenMinor;',
        to: 'refundsMinor += 2n * takenMinor;',
      },
    ],
  },
  {
    name: 'a second refund replaces the first',
    edits: [
      {
        file: STANDING,
        from: 'refundsMinor += takenMinor;',
        to: 'refundsMinor = takenMinor;',
      },
    ],
  },
  {
    name: 'a lost dispute stays open',
    edits: [{ file: STANDING, from: 'dispute.isLost = true;', to: '' }],
  },
  {
    name: 'a late refund counts as of its report',
    edits: [
      {
        file: STANDING,
        from: 'a.at < b.at ? -1 : a.at > b.at ? 1 : a.step.number - b.step.number',
        to: 'a.step.number - b.step.number',
      },
    ],
  },
  {
    name: 'a refund before its purchase is forgotten',
    edits: [{ file: `${DECIDE}/fold-event.ts`, from: '  applyEarly(ledger, event);\n', to: '' }],
  },
  {
    name: 'a restoration pays somebody who was erased',
    edits: [
      {
        file: `${DECIDE}/apply-adjustment.ts`,
        from: 'if (!isOwed || isThere(view, reward.beneficiaryParticipantId)) return reward;',
        to: 'if (isOwed || isThere(view, reward.beneficiaryParticipantId)) return reward;',
      },
    ],
  },
];

const OF_WEBHOOKS: readonly Defect[] = [
  {
    name: 'a webhook answered with 500 counts as delivered',
    edits: [
      {
        file: OUTCOME,
        from: 'result.status >= 200 && result.status < 300) {',
        to: 'result.status >= 200) {',
      },
    ],
  },
  {
    name: 'a webhook is not sent again',
    edits: [
      {
        file: 'outbound/webhooks/queue/schedule.ts',
        from: 'if (attemptsMade >= ATTEMPTS_MAX) return null;',
        to: 'if (attemptsMade >= 1) return null;',
      },
    ],
  },
  {
    name: 'the lease of a process that died does not end',
    edits: [
      {
        file: 'outbound/webhooks/queue/queue-store.ts',
        from: '\n  and (w.leased_until is null or w.leased_until <=',
        to: '\n  and (w.leased_until is null or w.due_at > w.leased_until and w.leased_until <=',
      },
    ],
  },
  {
    name: 'an accepted webhook counts as a grant',
    edits: [
      {
        file: OUTCOME,
        from: ' || result.status === 202) return null;',
        to: ') return null;',
      },
    ],
  },
  {
    name: 'an answer is saved without the grant that it means',
    edits: [
      {
        file: 'outbound/webhooks/dispatch/save-results.ts',
        from: '    await grantAnswered(write, grants);\n',
        to: '    if (grants.length > 1) await grantAnswered(write, grants);\n',
      },
    ],
  },
];

const OF_PRIVACY: readonly Defect[] = [
  {
    name: 'an erasure leaves the slugs of links',
    edits: [
      {
        file: 'domain/participants/erase-records.ts',
        from: 'updateLinkNames(tx, projectId, now, linkIds.map(toErased));',
        to: '',
      },
    ],
  },
  {
    name: 'an erasure does not void what is owed',
    edits: [
      {
        file: 'surfaces/privacy/erase-participant.ts',
        from: "if (force) return voidUnsettled(write, participantId, 'participant_deleted', SLICE);",
        to: 'if (force) return 0;',
      },
    ],
  },
];

/** What worlds must find, one at a time. */
export const DEFECTS: readonly Defect[] = [
  ...OF_WRITES,
  ...OF_REFERRALS,
  ...OF_REWARDS,
  ...OF_ADJUSTMENTS,
  ...OF_WEBHOOKS,
  ...OF_PRIVACY,
  ...OF_PROVIDERS,
  ...OF_LOYALTY,
  ...OF_PARTNERS,
];
