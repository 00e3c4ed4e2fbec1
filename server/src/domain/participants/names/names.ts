import type { Keyring } from '../../../platform/kit/keyring.ts';
import type { ParticipantKind, ReferralCode, ReferralLink } from '../schema.ts';

/** An external id of one kind, or a name in shared links. */
type TombstoneKind = ParticipantKind | 'name';

export interface Tombstone {
  readonly kind: TombstoneKind;
  readonly hash: string;
}

/** Deterministic: the same name always gives the same tombstone. Without the key nobody can find out the name. */
export function tombstoneOf(
  keyring: Keyring,
  projectId: string,
  kind: TombstoneKind,
  text: string,
): Tombstone {
  const hash = keyring.hmac('tombstone', `${projectId}\n${kind}\n${text}`).toString('base64url');
  return { kind, hash };
}

const ERASED_NAME = /^deleted_par_[0-9a-z]{26}$/;

/** Replaces an erased name; contains the id, so two are never the same. */
export function erasedName(id: string): string {
  return `deleted_${id}`;
}

/** Whether a caller's external id has the form that erased participants show. */
export function isErasedExternalId(externalId: string): boolean {
  return ERASED_NAME.test(externalId);
}

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

/** The name in a text that somebody followed or typed: case and surrounding white space do not matter. */
export function readName(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  return canBeName(name) ? name : undefined;
}

interface Positioned {
  /** Increases with each new row; null once the name was moved to another Program. */
  readonly position: number | null;
}

/** A code or link as stored; its address is computed when it is presented. */
export type CodeRow = Omit<ReferralCode, 'url'> & Positioned;

export type LinkRow = Omit<ReferralLink, 'url'> & Positioned;

/** Whether it still has its name: a moved name belongs to another code or link. */
export function isHeld({ position }: Positioned): boolean {
  return position !== null;
}

/** Base of the links of one Project. */
export interface ShareBase {
  readonly baseUrl: string;
  readonly projectKey: string;
}

export function presentCode(base: ShareBase, { position: _, ...code }: CodeRow): ReferralCode {
  return { ...code, url: shareUrl(base, code.code, code.id) };
}

export function presentLink(base: ShareBase, { position: _, ...link }: LinkRow): ReferralLink {
  return { ...link, url: shareUrl(base, link.slug, link.id) };
}

function shareUrl(base: ShareBase, name: string, id: string): string | null {
  return name === erasedName(id) ? null : `${base.baseUrl}/l/${base.projectKey}/${name}`;
}
