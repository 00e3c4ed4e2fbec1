import type { Answer } from '../process/service-process.ts';
import type { Api } from './api.ts';
import type { Reader } from './reader.ts';

/** What people decide about rewards and referrals. */
export class Judgements {
  /** Rewards that were reported as granted. */
  readonly reported = new Set<string>();
  /** Rewards that an operator has voided, or tried to. */
  readonly voided = new Set<string>();
  readonly #api: Api;
  readonly #reader: Reader;

  constructor(api: Api, reader: Reader) {
    this.#api = api;
    this.#reader = reader;
  }

  /** Reports or voids the n-th reward that somebody has now. */
  async handle(
    what: 'grant' | 'void' | 'revoke',
    number: number,
    nth: number,
  ): Promise<Answer | null> {
    const own = await this.#reader.rewardsOf(number);
    const reward = own[nth % Math.max(1, own.length)];
    if (!reward) return null;
    if (what === 'void') this.voided.add(reward.id);
    if (what === 'void')
      return this.#api.post(`/v1/rewards/${reward.id}/void`, { reasonCode: 'fraud' });
    if (what === 'grant') this.reported.add(reward.id);
    const action = what === 'grant' ? 'fulfillment' : 'revocation';
    return this.#api.post(`/v1/rewards/${reward.id}/${action}`, {
      externalReference: `${what} ${reward.id}`,
    });
  }

  watch(participants: readonly object[]): Promise<Answer> {
    const nothing = { emailDomains: [], networks: [], participants: [] };
    return this.#api.send('PUT', `/v1/projects/${this.#api.project.projectId}/risk-lists`, {
      allowed: nothing,
      watched: { ...nothing, participants },
    });
  }

  async decide(nth: number, decision: 'approve' | 'reject'): Promise<Answer | null> {
    const reviews = await this.#reader.list('/v1/risk-reviews?limit=50');
    const review = reviews[nth % Math.max(1, reviews.length)];
    return review ? this.#api.post(`/v1/risk-reviews/${review.id}/decision`, { decision }) : null;
  }
}
