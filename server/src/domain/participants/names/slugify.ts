/** Leaves room for a suffix within the 50 characters of a slug. */
const BASE_MAX = 40;
const NUMBERED_MAX = 9;
const FALLBACK = 'partner';

/** A slug from a name: plain lower-case letters and digits, joined by hyphens. */
export function slugify(text: string): string {
  const slug = text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, BASE_MAX)
    .replace(/^-+|-+$/g, '');
  return slug.length < 3 ? [FALLBACK, slug].filter(Boolean).join('-') : slug;
}

/** The slugs to try, best first; the last one, with its random suffix, is almost certainly free. */
export function slugCandidates(hint: string, randomEnd: string): string[] {
  const slug = slugify(hint);
  const numbered = Array.from({ length: NUMBERED_MAX - 1 }, (_, n) => `${slug}-${n + 2}`);
  return [slug, ...numbered, `${slug}-${randomEnd}`];
}

/** Format of codes and slugs. */
const NAME = /^[a-z0-9-]{1,50}$/;

/** Whether a text has the format of a code or slug; anything else needs no lookup. */
export function canBeName(name: string): boolean {
  return NAME.test(name);
}
