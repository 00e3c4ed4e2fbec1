import type { FindPayeeDetails, OpenDetails, PayeeDetails } from '../src/payouts/payee-details.ts';

export const BANK: OpenDetails = {
  type: 'bank',
  holderName: 'Ada Lovelace',
  country: 'GB',
  currency: 'GBP',
  iban: 'GB33BUKB20201555555555',
  bic: 'BUKBGB22',
};

/** Payout details of participants, in memory instead of sealed in the store. */
export class TestPayees {
  readonly #details = new Map<string, OpenDetails & { needsUpdate?: boolean }>();

  set(participantId: string, details: OpenDetails = BANK): void {
    this.#details.set(participantId, details);
  }

  forget(participantId: string): void {
    this.#details.delete(participantId);
  }

  refuse(participantId: string): void {
    const details = this.#details.get(participantId);
    if (details) this.#details.set(participantId, { ...details, needsUpdate: true });
  }

  readonly find: FindPayeeDetails = async (_projectId, participantIds) =>
    new Map(
      participantIds.flatMap((id): [string, PayeeDetails][] => {
        const details = this.#details.get(id);
        if (!details) return [];
        const { needsUpdate = false, ...open } = details;
        const status = needsUpdate ? 'needs_update' : 'active';
        return [[id, { type: details.type, status, open: () => open as OpenDetails }]];
      }),
    );
}
