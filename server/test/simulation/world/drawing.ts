import { chance, pick, type Random } from './draw.ts';
import { drawPayout } from './generate-payouts.ts';
import { drawTerms } from './generate-programs.ts';
import {
  type EndpointSpec,
  type Operation,
  type ProgramSpec,
  paysOut,
  type Undated,
} from './operations.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Never an hour: that is how long a visit is the same, and when one was made is known to a few seconds only. */
const SLEEPS_MS = [60_000, 2 * HOUR_MS, 25 * HOUR_MS, 31 * DAY_MS];

export interface Scene {
  readonly people: number;
  readonly programs: readonly ProgramSpec[];
  readonly endpoints: readonly EndpointSpec[];
  readonly processes: number;
  readonly isFaulty: boolean;
}

/** Draws one operation after the other. It knows what it has drawn, never what became of it. */
export class Drawing {
  readonly #random: Random;
  readonly #scene: Scene;
  readonly #signups = new Map<number, Undated & { kind: 'signup' }>();
  /** Of people who have a code. */
  readonly #joined: { readonly person: number; readonly program: number }[] = [];
  /** Browsers that have visited a landing page, and people with a link in a program. */
  readonly #clicked = new Set<number>();
  readonly #linked = new Set<string>();
  readonly #paysOut: boolean;
  /** When the store is copied and when it is put back; never in most worlds. */
  readonly #backedUpAt: number;
  readonly #putBackAt: number;
  #orders = 0;
  #refunds = 0;
  #disputes = 0;

  constructor(random: Random, scene: Scene) {
    this.#random = random;
    this.#scene = scene;
    this.#paysOut = paysOut(scene);
    const isLost = this.#paysOut && chance(random, 30);
    this.#backedUpAt = isLost ? 2 * scene.people + random(20) : -1;
    this.#putBackAt = isLost ? this.#backedUpAt + 5 + random(30) : -1;
  }

  get #isLost(): boolean {
    return this.#putBackAt >= 0;
  }

  next(index: number): Operation {
    const random = this.#random;
    const gapMs = pick(random, [0, 0, 0, 1, 5, 20, 100, 1_000]);
    return { id: index, gapMs, ...this.#draw(index) } as Operation;
  }

  #draw(index: number): Undated {
    const random = this.#random;
    const { people, programs, endpoints, processes, isFaulty } = this.#scene;
    const person = random(people);
    const program = random(programs.length);
    const kind = random(100);
    if (index === this.#backedUpAt) return { kind: 'back_up' };
    // Something is paid that the copy does not know of, and may still be on its way when the store is lost.
    if (this.#isLost && index === this.#putBackAt - 2)
      return { kind: 'payout', method: 'wise', steps: chance(random, 85) ? 2 : 1 };
    if (this.#isLost && index === this.#putBackAt - 1)
      return { kind: 'wait', ms: pick(random, [500, 3_000, 20_000, 20_000]) };
    if (index === this.#putBackAt) return { kind: 'put_back' };
    if (this.#paysOut && index >= people) {
      // Most people have an account before much happens.
      if (index < 2 * people && chance(random, 80))
        return { kind: 'details', person: index - people, account: 0 };
      if (chance(random, this.#isLost ? 30 : 16)) return drawPayout(random, people, this.#isLost);
    }
    if (index < people / 2 || kind < 5) {
      this.#joined.push({ person, program });
      return { kind: 'join', person, program };
    }
    if (index < people) return chance(random, 40) ? this.#drawClick() : this.#signUp(index);
    if (kind < 10) return this.#drawClick();
    if (kind < 24) {
      return this.#signUp(person);
    }
    if (kind < 27 && programs[program]?.risk)
      return { kind: 'watch', people: [person, random(people), random(people)] };
    if (kind < 32 && programs[program]?.risk) {
      const decision = pick(random, ['approve', 'approve', 'reject'] as const);
      return { kind: 'decide', nth: random(6), decision };
    }
    if (kind < 50) {
      this.#orders += 1;
      const amountMinor = pick(random, [0, 1, 99, 1_000, 12_345, 999_999]);
      // Most are of people who have signed up.
      const known = [...this.#signups.keys()];
      const buyer = known.length > 0 && chance(random, 75) ? pick(random, known) : person;
      return { kind: 'buy', person: buyer, order: this.#orders, amountMinor };
    }
    if (kind < 65 && this.#orders > 0) {
      const adjustment = this.#drawAdjustment();
      if (adjustment) return adjustment;
    }
    if (kind < 76) {
      const what = pick(random, ['grant', 'grant', 'void', 'revoke'] as const);
      return { kind: what, person, nth: random(8) };
    }
    if (kind < 79) {
      const { rules, methods, risk } = programs[program] as ProgramSpec;
      const rule = random(Math.max(1, rules.length));
      const place = rules[rule];
      if (!place) return this.#signUp(person);
      return {
        kind: 'terms',
        program,
        rule,
        terms: drawTerms(random, place, { ...methods, isReviewed: risk !== undefined }),
      };
    }
    if (kind < 81) {
      const status = pick(random, ['active', 'active', 'paused', 'ended'] as const);
      return { kind: 'status', program, status };
    }
    if (kind < 82) return { kind: 'leave', person, program };
    if (kind < 83) return { kind: 'erase', person, isForced: chance(random, 60) };
    if (kind < 89) return { kind: 'again', operation: random(index) };
    if (kind < 92) {
      return { kind: 'sleep', ms: pick(random, SLEEPS_MS) };
    }
    if (kind < 94 && endpoints.length > 0) {
      const mode = pick(random, [
        'ok',
        'accepted',
        'fails',
        'hangs',
        'answer_lost',
        'refuses',
      ] as const);
      return { kind: 'receiver', endpoint: random(endpoints.length), mode };
    }
    if (!isFaulty) return this.#signUp(person);
    const process = random(processes);
    switch (random(6)) {
      case 0:
        return { kind: 'crash', process, statements: random(60) };
      case 1:
        return { kind: 'break', process, statements: random(40) };
      case 2:
        return { kind: 'freeze', process, ms: pick(random, [50, 3_000, 40_000]) };
      case 3:
        return { kind: 'refuse', process, ms: pick(random, [20, 2_000]) };
      case 4:
        return { kind: 'slow', process, ms: pick(random, [1, 20]) };
      default:
        return { kind: 'lose_commit', process };
    }
  }

  /** What browsers do, and the links that they follow. */
  #drawClick(): Undated {
    // Browsers do not come again after the store was lost.
    if (this.#isLost) return this.#signUp(this.#random(this.#scene.people));
    const random = this.#random;
    const { people, programs } = this.#scene;
    const { person: referrer, program } = pick(random, this.#joined);
    const person = random(people);
    // Some devices are shared.
    const browser = chance(random, 80) ? person : random(people);
    switch (random(10)) {
      case 0:
      case 1:
        this.#linked.add(`${referrer} ${program}`);
        return { kind: 'link', person: referrer, program };
      case 2:
        return { kind: 'identify', browser, person };
      case 3: {
        const model = pick(random, ['last_touch', 'first_touch'] as const);
        const windowDays = pick(random, [1, 30, 90]);
        return { kind: 'policy', program: random(programs.length), policy: { model, windowDays } };
      }
      default: {
        this.#clicked.add(browser);
        const via = this.#drawName(referrer, program);
        return { kind: 'click', browser, referrer, program, via, isFollowed: chance(random, 50) };
      }
    }
  }

  /** Sometimes a link that nobody has made. */
  #drawName(referrer: number, program: number): 'code' | 'link' {
    const isThere = this.#linked.has(`${referrer} ${program}`);
    return chance(this.#random, isThere ? 70 : 5) ? 'link' : 'code';
  }

  #drawAdjustment(): Undated | null {
    const random = this.#random;
    // Some are reported before their purchase.
    const order = 1 + random(this.#orders + 1);
    const amountMinor = pick(random, [1, 50, 99, 500, 1_000, 12_345, 999_999]);
    const isEarly = chance(random, 30);
    switch (random(8)) {
      case 0:
      case 1:
      case 2:
        this.#refunds += 1;
        return { kind: 'refund', order, refund: this.#refunds, amountMinor, isEarly };
      case 3:
      case 4:
        this.#disputes += 1;
        return { kind: 'dispute', order, dispute: this.#disputes, amountMinor, isEarly };
      case 5:
        return this.#refunds === 0 ? null : { kind: 'restore', refund: 1 + random(this.#refunds) };
      default: {
        if (this.#disputes === 0) return null;
        const kind = pick(random, ['win', 'lose'] as const);
        return { kind, dispute: 1 + random(this.#disputes) };
      }
    }
  }

  /** The answer to a repeat does not tell which code the first call had: everybody has only one. */
  #signUp(person: number): Undated {
    const random = this.#random;
    const { people, programs } = this.#scene;
    const own = { person: random(people), program: random(programs.length) };
    const { person: referrer, program } = chance(random, 85) ? pick(random, this.#joined) : own;
    const hasBrowser = chance(random, this.#clicked.has(person) ? 80 : 10);
    const isReferred = chance(random, hasBrowser ? 30 : 90);
    const first = this.#signups.get(person) ?? {
      kind: 'signup' as const,
      person,
      referrer: isReferred ? referrer : null,
      program,
      via: this.#drawName(referrer, program),
      browser: hasBrowser ? person : null,
    };
    this.#signups.set(person, first);
    return first;
  }
}
