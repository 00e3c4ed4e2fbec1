import type {
  PastAdjustment,
  PastEvent,
  PastFact,
  PastPerson,
  PastReward,
} from '../src/domain/backtests/decide/history.ts';
import { Replay } from '../src/domain/backtests/decide/replay.ts';
import {
  DEFAULT_RISK_POLICY,
  type RiskPolicyVersion,
} from '../src/domain/programs/policies/risk-policy.ts';
import type { ProgramBook } from '../src/domain/programs/program-book.ts';
import { NO_RISK } from '../src/domain/risk/decide/risk-facts.ts';
import { addMs } from '../src/platform/kit/instant.ts';
import { aProgram, aRule, FOUNDED_AT, percentTerms } from './program-book.ts';

const PROGRAM_ID = 'prg_invite';
const REFERRER_ID = 'par_referrer';
const ID_CHARS = 12;
const PAGE = 500;

const idOf = (prefix: string, n: number) => `${prefix}_${String(n).padStart(ID_CHARS, '0')}`;

function personOf(id: string): PastPerson {
  return {
    id,
    kind: 'individual',
    externalId: null,
    createdAt: FOUNDED_AT,
    deletedAt: null,
    suspendedAt: null,
    isReferrer: false,
    isReferee: false,
    starts: [],
    profile: null,
    account: null,
    enrollments:
      id === REFERRER_ID
        ? [
            {
              id: 'enr_1',
              participantId: id,
              programId: PROGRAM_ID,
              startsAt: FOUNDED_AT,
              endsAt: null,
            },
          ]
        : [],
  };
}

/** What else happens in the history. */
interface Shape {
  /** Each purchase is refunded in full, so many facts later. */
  readonly refundAfter?: number;
  /** Other terms of both books. */
  readonly terms?: Parameters<typeof percentTerms>[1];
  /** Scores are reviewed: then every Reward may change. */
  readonly canReview?: boolean;
  /** One of so many people was referred; by default everybody. */
  readonly referredEvery?: number;
}

const REVIEWS: RiskPolicyVersion = {
  ...DEFAULT_RISK_POLICY,
  mode: 'review',
  id: 'rpv',
  projectId: 'prj',
  programId: PROGRAM_ID,
  version: 1,
  effectiveAt: FOUNDED_AT,
  createdAt: FOUNDED_AT,
  updatedAt: FOUNDED_AT,
  author: 'console',
};

/** What a purchase gave its referrer: a tenth, as it is in the end. */
function rewardOf(n: number, { refundAfter }: Shape): PastReward {
  const isRefunded = refundAfter !== undefined;
  const at = addMs(FOUNDED_AT, n * 1_000);
  return {
    id: idOf('rwd', n),
    programId: PROGRAM_ID,
    ruleId: 'rul',
    eventId: idOf('evt', n),
    beneficiaryParticipantId: REFERRER_ID,
    benefitKind: 'cash',
    netAmountMinor: isRefunded ? 0n : (BigInt(1_000 + n) + 5n) / 10n,
    currency: 'USD',
    quantity: null,
    unitId: null,
    earnedAt: at,
    fulfillmentStatus: isRefunded ? 'cancelled' : 'pending',
    fulfillment: null,
    revocation: null,
    void: null,
    milestoneAt: null,
    isVoidedByReview: false,
  };
}

/** Of so many people: each signs up with the referrer's code and buys, one after another, and then they buy in turn. */
function eventOf(n: number, people: number, shape: Shape): PastEvent {
  const isReferred = ((n >> 1) % people) % (shape.referredEvery ?? 1) === 0;
  const isSignup = n % 2 === 0 && n < 2 * people;
  const at = addMs(FOUNDED_AT, n * 1_000);
  return {
    id: idOf('evt', n),
    number: n + 1,
    type: isSignup ? 'signup' : 'purchase',
    participantId: idOf('par', (n >> 1) % people),
    actorParticipantId: null,
    sourceNamespaceId: 'src',
    sourceEventId: isSignup ? null : `o${n}`,
    occurredAt: at,
    receivedAt: at,
    writtenAt: at,
    facts: {
      purchase: isSignup
        ? null
        : {
            amountMinor: String(1_000 + n),
            currency: 'USD',
            currencyExponent: 2,
            taxAmountMinor: null,
            orderId: null,
            invoiceId: null,
            subscriptionId: null,
            billingReason: null,
          },
      properties: {},
    },
    state: 'processed',
    purchaseId: isSignup ? null : idOf('pur', n),
    duplicateOf: null,
    adjustments: isSignup || shape.refundAfter === undefined ? 0 : 1,
    isImport: false,
    code:
      isSignup && isReferred
        ? {
            refCodeId: 'cod_1',
            linkId: null,
            programId: PROGRAM_ID,
            participantId: REFERRER_ID,
            movedAt: null,
          }
        : null,
    early: [],
    risk: isReferred ? { referrerId: REFERRER_ID, facts: NO_RISK, packed: {} } : null,
    rewards: isSignup || !isReferred ? [] : [rewardOf(n, shape)],
    review: null,
  };
}

/** The whole purchase of an earlier fact. */
function refundOf(n: number, refundAfter: number): PastAdjustment {
  const at = addMs(FOUNDED_AT, (n + refundAfter) * 1_000 + 1);
  return {
    id: idOf('padj', n),
    number: n + 1,
    purchaseId: idOf('pur', n),
    kind: 'refund',
    sourceNamespaceId: 'src',
    sourceEventId: `r${n}`,
    amountMinor: BigInt(1_000 + n),
    occurredAt: at,
    receivedAt: at,
    restores: null,
    closes: null,
  };
}

/** A tenth of each purchase, or another share. */
function bookOf(rateBps: number, { terms, canReview = false }: Shape): ProgramBook {
  const rule = aRule([percentTerms(rateBps, { durationMode: 'forever', ...terms })]);
  const riskPolicies = canReview ? [REVIEWS] : [];
  const program = aProgram({ id: PROGRAM_ID, rules: [rule], riskPolicies });
  return { programs: new Map([[PROGRAM_ID, program]]) };
}

/**
 * Replays so many facts that are made up on the way, by the same share or by another; returns the replay. By default every
 * second one is a new person.
 */
export function foldInMemory(
  events: number,
  proposedBps = 1_000,
  people = events,
  shape: Shape = {},
): Replay {
  const source = {
    id: 'src',
    projectId: 'prj',
    name: 'shop',
    key: 'shop',
    kind: 'application' as const,
    enabled: true,
    createdAt: FOUNDED_AT,
    updatedAt: FOUNDED_AT,
  };
  const replay = new Replay({
    projectId: 'prj',
    programId: PROGRAM_ID,
    actual: bookOf(1_000, shape),
    proposed: bookOf(proposedBps, shape),
    sources: new Map([['src', source]]),
    from: FOUNDED_AT,
    to: '2100-01-01T00:00:00.000Z',
  });
  replay.addPerson(personOf(REFERRER_ID));
  for (let n = 0; n < events; n += 1) {
    const event = eventOf(n, people, shape);
    if (event.type === 'signup') replay.addPerson(personOf(event.participantId));
    const fact: PastFact = { kind: 'event', event };
    replay.take(fact);
    const { refundAfter = Number.POSITIVE_INFINITY } = shape;
    const refunded = n - refundAfter;
    if (refunded >= 0 && eventOf(refunded, people, shape).type === 'purchase') {
      replay.take({ kind: 'adjustment', adjustment: refundOf(refunded, refundAfter) });
    }
    // As a run does: what differs is saved, and does not stay.
    if (n % PAGE === 0) replay.events.differences.clear();
  }
  return replay;
}
