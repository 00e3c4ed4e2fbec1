/**
 * What tells purchases apart by their invoices (D-TRACK-5). Numbers are unique to an issuer, not to a
 * Project: somebody else's, or one in another currency, is another purchase.
 */
export function invoiceKey(purchase: {
  readonly participantId: string;
  readonly currency: string;
  readonly invoiceId: string | null;
}): string {
  return `${purchase.participantId}\n${purchase.currency}\n${purchase.invoiceId}`;
}
