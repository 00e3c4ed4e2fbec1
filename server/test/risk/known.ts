import { isDisposable } from '../../src/domain/participants/disposable-domains.ts';
import { readAddress } from '../../src/domain/participants/email-keys.ts';
import {
  type NearReferral,
  NO_VISIT,
  type RiskProfile,
  type Visit,
} from '../../src/domain/risk/risk-slice.ts';
import { type Instant, toInstant } from '../../src/platform/kit/instant.ts';

const BEGIN_MS = Date.parse('2026-01-05T00:00:00.000Z');
const STEM_MIN = 3;
const KEPT_SECONDS = 30 * 86_400;

export const instant = (at: number): Instant => toInstant(BEGIN_MS + at * 1_000);

type Address = Pick<RiskProfile, 'emailKey' | 'emailStem' | 'emailDomain' | 'emailIsDisposable'>;

const NO_ADDRESS: Address = {
  emailKey: null,
  emailStem: null,
  emailDomain: null,
  emailIsDisposable: false,
};

/** Without the keys of hashes: nobody else reads a model. */
export function toAddress(email: string): Address {
  const { name, domain } = readAddress(email);
  const stem = name.replace(/\d/g, '');
  return {
    emailKey: `${name}@${domain}`,
    emailStem: stem.length < STEM_MIN ? null : `${stem}@${domain}`,
    emailDomain: domain,
    emailIsDisposable: isDisposable(domain),
  };
}

/** How somebody became a referee. */
export interface Bound {
  readonly referrer: string;
  readonly at: number;
  readonly visit: Visit;
}

/** What the model knows of somebody. */
export class Known {
  readonly id: string;
  readonly createdAt: Instant;
  address = NO_ADDRESS;
  account: string | null = null;
  bound: Bound | null = null;
  /** When they were seen last, by network. */
  readonly networks = new Map<string, number>();
  readonly cards = new Set<string>();
  /** Those this person referred, the newest last. */
  readonly referred: Known[] = [];
  purchases = 0;
  refunded = 0;

  constructor(id: string, at: number) {
    this.id = id;
    this.createdAt = instant(at);
  }

  profileAt(now: number, cardOthers: number): RiskProfile {
    const seen = [...this.networks].filter(([, at]) => at > now - KEPT_SECONDS);
    return { ...this.address, networks: seen.map(([network]) => network), cardOthers };
  }

  get boundAt(): Instant {
    return instant(this.bound?.at ?? 0);
  }

  get near(): NearReferral {
    return { refereeId: this.id, boundAtMs: Date.parse(this.boundAt) };
  }

  /** The network of a click is kept as long as others. */
  visitAt(now: number): Visit {
    if (!this.bound) return NO_VISIT;
    const { visit, at } = this.bound;
    return at > now - KEPT_SECONDS ? visit : { ...visit, network: null };
  }

  get party() {
    return { id: this.id, kind: 'individual', externalId: this.id } as const;
  }
}
