import type { Terms } from '../model/facts.ts';
import { chance, pick, type Random } from './draw.ts';
import { drawTerms } from './generate-programs.ts';
import { partiesOf } from './names.ts';
import type { Operation, ProgramSpec, RuleSpec, Undated, WorldSpec } from './operations.ts';

/** Numbers of operations that are there because people earn for what they do. */
const FIRST_ID = 30_000;

/**
 * The same world with a loyalty program, whose members earn for their own purchases and for events of the caller's own, which
 * most referral programs then reward as well. Members leave, and operators change, pause and end the program.
 */
export function addLoyalty(spec: WorldSpec, random: Random): WorldSpec {
  // People of a world with mails have none of this program: it is told of no mails.
  const hasProgram = !spec.mail;
  const referral = spec.programs.map((one) => (chance(random, 70) ? withCustom(one, random) : one));
  const loyalty = hasProgram ? [makeLoyalty(random, spec.programs.length)] : [];
  const programs = [...referral, ...loyalty];
  let added = 0;
  const make = (one: Undated): Operation => {
    added += 1;
    return { id: FIRST_ID + added, gapMs: pick(random, [0, 0, 5, 1_000]), ...one } as Operation;
  };
  const operations = spec.operations.flatMap((one): Operation[] => {
    if (!chance(random, 25)) return [one];
    const person = random(partiesOf(spec));
    return [
      one,
      make(drawOne({ person, custom: added + 1, loyalty: loyalty[0] ?? null, spec }, random)),
    ];
  });
  return { ...spec, programs, operations };
}

interface Drawn {
  readonly person: number;
  readonly custom: number;
  readonly loyalty: ProgramSpec | null;
  readonly spec: WorldSpec;
}

function drawOne({ person, custom, loyalty, spec }: Drawn, random: Random): Undated {
  const kind = random(100);
  const program = spec.programs.length;
  if (loyalty && kind < 12) return { kind: 'leave', person, program };
  if (loyalty && kind < 20)
    return {
      kind: 'status',
      program,
      status: pick(random, ['active', 'active', 'paused', 'ended'] as const),
    };
  if (loyalty && kind < 32) {
    const rule = random(loyalty.rules.length);
    const terms = termsFor(loyalty.rules[rule] as RuleSpec, random);
    return { kind: 'terms', program, rule, terms };
  }
  return { kind: 'custom', person, custom };
}

function makeLoyalty(random: Random, index: number): ProgramSpec {
  const method = () => pick(random, ['operator', 'manual']);
  const places = [
    { eventType: 'purchase', purpose: 'primary' },
    { eventType: 'purchase', purpose: 'bonus' },
    { eventType: 'custom_review', purpose: 'primary' },
  ] as const;
  return {
    key: `g${index}`,
    kind: 'loyalty',
    holdDays: pick(random, [0, 1, 30]),
    methods: {
      cashMethod: method(),
      creditMethod: method(),
      discountMethod: method(),
      customMethod: method(),
    },
    rules: places.map((place, at) => ({
      key: `g${index}r${at}`,
      ...place,
      role: 'subject',
      terms: termsFor({ ...place, role: 'subject' }, random),
    })),
  };
}

function withCustom(program: ProgramSpec, random: Random): ProgramSpec {
  const place = {
    eventType: 'custom_review',
    role: pick(random, ['referrer', 'referee'] as const),
    purpose: 'primary',
  } as const;
  const terms = termsFor(place, random);
  return { ...program, rules: [...program.rules, { key: `${program.key}c`, ...place, terms }] };
}

/** The service pays and credits nothing of it by itself. */
function termsFor(place: Pick<RuleSpec, 'eventType' | 'role' | 'purpose'>, random: Random): Terms {
  const terms = drawTerms(random, place, { cashMethod: 'operator', isReviewed: false });
  if (place.eventType !== 'custom_review') return terms;
  const durationMode = pick(random, ['once', 'months', 'forever'] as const);
  return { ...terms, durationMode, ...(durationMode === 'months' ? { durationMonths: 1 } : {}) };
}
