import { createHmac } from 'node:crypto';

const LIFE_SECONDS = 900;

/**
 * A token that lets a browser read one person's link and rewards for a quarter of an hour: a JWT,
 * signed with HS256. `widget:payout` lets them also say where they are paid.
 * @param {{ projectId: string, widgetSecret: string }} settings
 * @param {string} personId
 */
export function signWidgetToken({ projectId, widgetSecret }, personId) {
  const iat = Math.floor(Date.now() / 1_000);
  const header = encode({ alg: 'HS256', typ: 'service-widget+jwt' });
  const claims = encode({
    iss: projectId,
    projectId,
    aud: 'service-widget',
    sub: personId,
    participantKind: 'individual',
    scope: 'widget:read widget:payout',
    iat,
    exp: iat + LIFE_SECONDS,
  });
  const signature = createHmac('sha256', widgetSecret).update(`${header}.${claims}`);
  return `${header}.${claims}.${signature.digest('base64url')}`;
}

/** @param {object} value */
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
