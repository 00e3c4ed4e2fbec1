import { randomBytes } from 'node:crypto';

const EMAIL = 'demo@example.com';

/**
 * The first account of the demo's console, and a page that signs its visitor in with it. Cookies of
 * this machine count for all its ports: what this page sets, the console gets.
 * @param {{ goodwordUrl: string, setupLink: string }} place
 */
export async function openConsole({ goodwordUrl, setupLink }) {
  const { origin, hash } = new URL(setupLink);
  const password = randomBytes(24).toString('base64url');
  const path = `/console-of-the-demo/${randomBytes(16).toString('base64url')}`;
  /** @param {string} to @param {object} body */
  const post = (to, body) =>
    fetch(goodwordUrl + to, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify(body),
    });
  const account = { token: hash.slice(1), name: 'Demo', email: EMAIL, password };
  const made = await post('/v1/setup', account);
  if (!made.ok) throw new Error(`The demo's account was refused: ${await made.text()}`);
  return {
    path,
    /** @param {import('node:http').IncomingMessage} _request @param {import('node:http').ServerResponse} response */
    async handle(_request, response) {
      const signedIn = await post('/console/auth/sign-in/email', { email: EMAIL, password });
      response.writeHead(302, {
        location: `${goodwordUrl}/console/`,
        'set-cookie': signedIn.headers.getSetCookie(),
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      });
      response.end();
    },
  };
}
