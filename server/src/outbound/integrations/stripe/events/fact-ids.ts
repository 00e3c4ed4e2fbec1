/**
 * The sourceEventId of reversals and restorations. A refund keeps its own id; a suffix
 * distinguishes a dispute, its loss, and the restoration of either.
 */
export const factIds = {
  refund: (id: string) => id,
  dispute: (id: string) => `${id}:dispute`,
  loss: (id: string) => `${id}:lost`,
  restoration: (id: string) => `${id}:restoration`,
} as const;
