/** What a person's browser calls itself. Programs are led on as well, but not counted. */
export const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36';

/** Opens a shared link as a browser does, as far as the service leads on. */
export const followLink = (address: string): Promise<Response> =>
  fetch(address, { redirect: 'manual', headers: { 'user-agent': BROWSER } });
