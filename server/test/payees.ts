import type { Details } from '../src/outbound/payouts/details/details.ts';
import type {
  FindPayeeDetails,
  PayeeDetails,
} from '../src/outbound/payouts/details/payee-details.ts';

export const BANK: Details = {
  type: 'bank',
  holderName: 'Ada Lovelace',
  country: 'GB',
  currency: 'GBP',
  iban: 'GB33BUKB20201555555555',
  bic: 'BUKBGB22',
};

/** Payout details of participants, in memory instead of sealed in the store. */
export class TestPayees {
  readonly #details = new Map<string, Details & { needsUpdate?: boolean }>();

  set(participantId: string, details: Details = BANK): void {
    this.#details.set(participantId, details);
  }

  forget(participantId: string): void {
    this.#details.delete(participantId);
  }

  refuse(participantId: string): void {
    const details = this.#details.get(participantId);
    if (details) this.#details.set(participantId, { ...details, needsUpdate: true });
  }

  /** What a test has set here, and else what is in the store. */
  over(stored: FindPayeeDetails): FindPayeeDetails {
    return async (projectId, ids) =>
      new Map([...(await stored(projectId, ids)), ...(await this.find(projectId, ids))]);
  }

  readonly find: FindPayeeDetails = async (_projectId, participantIds) =>
    new Map(
      participantIds.flatMap((id): [string, PayeeDetails][] => {
        const details = this.#details.get(id);
        if (!details) return [];
        const { needsUpdate = false, ...open } = details;
        const status = needsUpdate ? 'needs_update' : 'active';
        const fingerprint = JSON.stringify(open);
        const { type } = details;
        return [[id, { id: 'pdt_test', type, status, fingerprint, open: () => open as Details }]];
      }),
    );
}
