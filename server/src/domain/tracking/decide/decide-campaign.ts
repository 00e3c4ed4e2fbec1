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

/** What may stand around a written-out "at" or "dot". */
const AROUND = '[\\s_.,:;(){}<>\\[\\]-]';
/** Addresses, also with a written-out sign, and what only one visitor may have: long numbers, hashes and other tokens. */
const PERSONAL = [
  /@|%(?:25)*40|&commat;|&#(?:0*64|x0*40);?/,
  new RegExp(
    `[^\\s]${AROUND}+at${AROUND}+[\\p{L}\\p{N}-]+(?:\\.|${AROUND}+dot${AROUND}+)\\p{L}{2}`,
    'u',
  ),
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/,
  /\p{Nd}(?:[ ().+-]*\p{Nd}){8}/u,
  /[a-z0-9]{32}/,
  // Letters and digits take turns in a token; in the name of a campaign hardly ever more than once.
  /(?=[a-z0-9]{16})[0-9]*(?:[a-z]+\d+){3}/,
];
const DECODED_MAX = 3;

/**
 * The name under which a campaign is counted: source, medium and campaign in lower case, each cut to 64
 * characters. Null for a visit without any of them. A text that may name a person is not kept.
 */
export function nameCampaign(visit: VisitCampaign): string | null {
  const { utmSource, utmMedium, utmCampaign } = visit;
  if (utmSource === null && utmMedium === null && utmCampaign === null) return null;
  const texts = [utmSource, utmMedium, utmCampaign].map(clean);
  if (texts.every((text) => text === '')) return null;
  if (texts.some(mayNamePerson)) return OTHER_CAMPAIGNS;
  return texts.map((text) => [...text].slice(0, TEXT_MAX).join('').trim()).join(SEPARATOR);
}

function clean(text: string | null): string {
  return (text ?? '').normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
}

/** Looks through other forms of the same characters, such as a full-width @, and through encodings. */
function mayNamePerson(text: string): boolean {
  const plain = decode(text)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();
  return PERSONAL.some((pattern) => pattern.test(plain));
}

/** A text may have been percent-encoded more than once. */
function decode(text: string): string {
  let decoded = text;
  try {
    for (let n = 0; n < DECODED_MAX; n += 1) decoded = decodeURIComponent(decoded);
  } catch {
    // It contains a percent sign of its own.
  }
  return decoded;
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
