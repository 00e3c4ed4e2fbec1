import type { Instant } from '../../../platform/kit/instant.ts';

/** The campaign that a visitor came by, as the address of the landing page named it. */
export interface VisitCampaign {
  readonly utmSource: string | null;
  readonly utmMedium: string | null;
  readonly utmCampaign: string | null;
}

export const NO_CAMPAIGN: VisitCampaign = { utmSource: null, utmMedium: null, utmCampaign: null };

/** Different campaigns of a Program in a month; later ones count as others. */
export const CAMPAIGNS_MAX = 200;
const TEXT_MAX = 64;
/** What counts for campaigns that are not counted by name. */
export const OTHER_CAMPAIGNS = '(other)';
const SEPARATOR = '\t';

/** Addresses, and what only one visitor may have: long numbers, hashes and other tokens. */
const PERSONAL = [
  /@|%40/,
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/,
  /\d(?:[ ().+-]*\d){8}/,
  /[a-z0-9]{32}/,
  // Letters and digits take turns in a token; in the name of a campaign hardly ever more than once.
  /(?=[a-z0-9]{16})[0-9]*(?:[a-z]+\d+){3}/,
];

/**
 * The name under which a campaign is counted: source, medium and campaign in lower case, each cut to 64
 * characters. Null for a visit without any of them. A text that may name a person is not kept.
 */
export function nameCampaign(visit: VisitCampaign): string | null {
  const texts = [visit.utmSource, visit.utmMedium, visit.utmCampaign].map(clean);
  if (texts.every((text) => text === '')) return null;
  if (texts.some((text) => PERSONAL.some((pattern) => pattern.test(text)))) return OTHER_CAMPAIGNS;
  return texts.map((text) => [...text].slice(0, TEXT_MAX).join('').trim()).join(SEPARATOR);
}

function clean(text: string | null): string {
  return (text ?? '').normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
}

/** The month and the name, as figures and referrals have it. */
function campaignPart(month: string, name: string): string {
  return month + SEPARATOR + name;
}

export function monthOf(at: Instant): string {
  return at.slice(0, 7);
}

export function readCampaignPart(part: string): { month: string; name: string } {
  const [month = '', ...texts] = part.split(SEPARATOR);
  return { month, name: texts.join(SEPARATOR) };
}

/** Source, medium and campaign; all null for the others. */
export function readCampaignName(name: string) {
  const [source = '', medium = '', campaign = ''] =
    name === OTHER_CAMPAIGNS ? [] : name.split(SEPARATOR);
  return { source: source || null, medium: medium || null, campaign: campaign || null };
}

/** The part that a new referral counts in. `known` are those of its Program and month. */
export function admitCampaign(known: ReadonlySet<string>, month: string, name: string): string {
  const [part, others] = [campaignPart(month, name), campaignPart(month, OTHER_CAMPAIGNS)];
  if (known.has(part)) return part;
  const named = known.has(others) ? known.size - 1 : known.size;
  return named < CAMPAIGNS_MAX ? part : others;
}
