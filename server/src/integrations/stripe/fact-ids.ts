/**
 * The sourceEventId of what goes back and comes again. A refund has its own id; a dispute, and what
 * undoes either, are told apart from it.
 */
export const factIds = {
  refund: (id: string) => id,
  dispute: (id: string) => `${id}:dispute`,
  restoration: (id: string) => `${id}:restoration`,
} as const;
