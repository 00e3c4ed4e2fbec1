/** The parameters that a followed link brings along. */
const PARAMETERS = ['ref', 'service_click'] as const;

/**
 * The landing page's address with the referral added. The rest of its query stays as it was
 * written, byte for byte; parameters of its own with these names give way.
 */
export function toReferralAddress(landingPageUrl: string, ref: string, click: string): string {
  const url = new URL(landingPageUrl);
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !PARAMETERS.some((name) => isNamed(pair, name)));
  const [refName, clickName] = PARAMETERS;
  // With its question mark, or a query that begins with one would lose it.
  url.search = `?${[...kept, `${refName}=${ref}`, `${clickName}=${click}`].join('&')}`;
  return url.href;
}

function isNamed(pair: string, name: string): boolean {
  return pair === name || pair.startsWith(`${name}=`);
}
