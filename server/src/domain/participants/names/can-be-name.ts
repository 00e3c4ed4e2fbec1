/** What codes and slugs are made of. */
const NAME = /^[a-z0-9-]{1,50}$/;

/** Whether a code or slug can have this name; anything else need not be looked up. */
export function canBeName(name: string): boolean {
  return NAME.test(name);
}
