export interface Person {
  readonly name?: string | null;
  /** Null for a partner. */
  readonly externalId: string | null;
  readonly partnerId?: string | null;
  readonly deletedAt?: string | null;
}

/** Somebody erased has an external id that the service made up: some lists have no other mark. */
export function personLabel({ name, externalId, partnerId, deletedAt }: Person, id: string) {
  if (deletedAt || externalId === `deleted_${id}`) return 'Erased participant';
  return name ?? externalId ?? `Partner ${partnerId ?? id}`;
}
