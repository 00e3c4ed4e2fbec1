/** Crawlers, and the programs that fetch a link to show a preview of it. */
const ROBOTS =
  /(?<!cu)bot\b|crawler|spider|slurp|facebookexternalhit|facebookcatalog|whatsapp\/|skypeuripreview|embedly|bingpreview|google-inspectiontool|mediapartners-google|ia_archiver|vkshare|pinterest\/|mattermost|iframely/i;

/** Whether no person is behind a visit, as far as it says so itself. A browser always names itself. */
export function isRobot(userAgent: string | undefined): boolean {
  return userAgent === undefined || userAgent.trim() === '' || ROBOTS.test(userAgent);
}
