import { chance, pick, type Random } from './draw.ts';
import { drawTerms } from './generate-programs.ts';
import { partiesOf } from './names.ts';
import type { Operation, ProgramSpec, RuleSpec, Undated, WorldSpec } from './operations.ts';

/** Numbers of operations that are there because there are partners. */
const FIRST_ID = 20_000;

/**
 * The same world with an affiliate program. Some apply to it, operators let them in or do not, and suspend and reinstate them;
 * they refer some of those whom others would have referred.
 */
export function addPartners(spec: WorldSpec, random: Random): WorldSpec {
  const program = makeAffiliate(random, spec.programs.length);
  const drawing = new PartnerDrawing(random, spec, program);
  const operations: Operation[] = [];
  let added = 0;
  const add = (...drawn: readonly Undated[]) => {
    for (const one of drawn) {
      added += 1;
      const gapMs = pick(random, [0, 0, 5, 1_000]);
      operations.push({ id: FIRST_ID + added, gapMs, ...one } as Operation);
    }
  };
  // Most are partners before anybody signs up.
  const early = Math.ceil(spec.people / 2);
  for (const one of drawing.partners) if (chance(random, 80)) add(...drawing.letIn(one));
  for (const [at, one] of spec.operations.entries()) {
    if (at === early && chance(random, 50)) add(drawing.suspend());
    operations.push(drawing.redirect(one));
    if (at >= early && chance(random, 14)) add(...drawing.next());
  }
  const partners = drawing.partners.length;
  return { ...spec, partners, programs: [...spec.programs, program], operations };
}

/** It does not know what becomes of what it draws. */
class PartnerDrawing {
  readonly #random: Random;
  readonly #spec: WorldSpec;
  readonly #program: ProgramSpec;
  readonly partners: readonly number[];
  readonly #suspended = new Set<number>();
  /** By whom somebody is referred; null: as without partners. */
  readonly #referrers = new Map<number, Referring | null>();

  constructor(random: Random, spec: WorldSpec, program: ProgramSpec) {
    this.#random = random;
    this.#spec = spec;
    this.#program = program;
    this.partners = Array.from({ length: 2 + random(3) }, (_, at) => partiesOf(spec) + at);
  }

  get #index(): number {
    return this.#spec.programs.length;
  }

  letIn(person: number): Undated[] {
    return [this.#apply(person), { kind: 'admit', person, decision: 'approve' }];
  }

  #apply(person: number): Undated {
    return { kind: 'apply', person, program: this.#index, isProven: chance(this.#random, 90) };
  }

  next(): Undated[] {
    const random = this.#random;
    const person = pick(random, this.partners);
    const kind = random(100);
    if (kind < 40) return [this.#changeStanding()];
    if (kind < 52) return this.letIn(person);
    if (kind < 60)
      return [
        this.#apply(person),
        { kind: 'admit', person, decision: pick(random, ['approve', 'reject', 'reject'] as const) },
      ];
    if (kind < 66) return [{ kind: 'leave', person, program: this.#index }];
    if (kind < 69) return [{ kind: 'erase', person, isForced: chance(random, 60) }];
    if (kind < 84) {
      const what = pick(random, ['grant', 'grant', 'void', 'revoke'] as const);
      return [{ kind: what, person, nth: random(4) }];
    }
    if (kind < 90) {
      const status = pick(random, ['active', 'active', 'paused', 'ended'] as const);
      return [{ kind: 'status', program: this.#index, status }];
    }
    if (kind < 94) {
      const model = pick(random, ['last_touch', 'first_touch'] as const);
      const policy = { model, windowDays: pick(random, [1, 30, 90]) };
      return [{ kind: 'policy', program: this.#index, policy }];
    }
    const rule = random(this.#program.rules.length);
    const terms = termsFor(this.#program.rules[rule] as RuleSpec, random);
    return [{ kind: 'terms', program: this.#index, rule, terms }];
  }

  /** Half of the time it ends what lasts. */
  #changeStanding(): Undated {
    const random = this.#random;
    if (this.#suspended.size === 0 || chance(random, 50)) return this.suspend();
    const person = pick(random, [...this.#suspended]);
    this.#suspended.delete(person);
    return { kind: 'reinstate', person };
  }

  suspend(): Undated {
    const person = pick(this.#random, this.partners);
    this.#suspended.add(person);
    return { kind: 'suspend', person };
  }

  /** Some who sign up by a code or visit by a link do so by one of a partner. */
  redirect(one: Operation): Operation {
    if (one.kind === 'many') return { ...one, operations: one.operations.map(this.#redirectOne) };
    return this.#redirectOne(one);
  }

  readonly #redirectOne = (one: Operation): Operation => {
    if (one.kind === 'click' && chance(this.#random, 35)) return { ...one, ...this.#draw() };
    if (one.kind !== 'signup' || one.referrer === null) return one;
    // A repeat says the same.
    const known = this.#referrers.get(one.person);
    const referring = known === undefined && chance(this.#random, 50) ? this.#draw() : known;
    this.#referrers.set(one.person, referring ?? null);
    return { ...one, ...referring };
  };

  /** Often by a partner who is suspended. */
  #draw(): Referring {
    const random = this.#random;
    const suspended = [...this.#suspended];
    const from = suspended.length > 0 && chance(random, 40) ? suspended : this.partners;
    const via = pick(random, ['code', 'link'] as const);
    return { referrer: pick(random, from), program: this.#index, via };
  }
}

interface Referring {
  readonly referrer: number;
  readonly program: number;
  readonly via: 'code' | 'link';
}

const PLACES = [
  { eventType: 'purchase', role: 'referrer', purpose: 'primary' },
  { eventType: 'purchase', role: 'referee', purpose: 'primary' },
  { eventType: 'signup', role: 'referrer', purpose: 'primary' },
  { eventType: 'purchase', role: 'referrer', purpose: 'bonus' },
] as const;

function makeAffiliate(random: Random, index: number): ProgramSpec {
  const method = () => pick(random, ['operator', 'manual']);
  return {
    key: `g${index}`,
    kind: 'affiliate',
    holdDays: pick(random, [0, 1, 30]),
    methods: {
      cashMethod: method(),
      creditMethod: method(),
      discountMethod: method(),
      customMethod: method(),
    },
    // A commission is always there.
    rules: PLACES.flatMap((place, at) =>
      at === 0 || chance(random, 60)
        ? [{ key: `g${index}r${at}`, ...place, terms: termsFor(place, random) }]
        : [],
    ),
  };
}

/** The service pays and credits nothing of it by itself. */
const termsFor = (place: Pick<RuleSpec, 'eventType' | 'role' | 'purpose'>, random: Random) =>
  drawTerms(random, place, { cashMethod: 'operator', isReviewed: false });
