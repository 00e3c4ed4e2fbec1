/**
 * The sourceEventId of what goes back and comes again. A refund has its own id; a dispute, its loss,
 * and what undoes a refund or a dispute, are told apart from it.
 */
export const factIds = {
  refund: (id: string) => id,
  dispute: (id: string) => `${id}:dispute`,
  loss: (id: string) => `${id}:lost`,
  restoration: (id: string) => `${id}:restoration`,
} as const;
