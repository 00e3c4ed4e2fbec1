import type { ReferralCode, ReferralLink } from '../schema.ts';
import type { CodeRow, LinkRow } from './sharing-store.ts';
import { erasedName } from './tombstone.ts';

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
