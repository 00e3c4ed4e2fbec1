import { decodeJwt } from 'jose';

/**
 * Identifies the person who signed in at the provider, by the `id_token` whose signature, issuer,
 * audience, times and nonce the library has verified, if there is one. The library continues
 * without one, accepts one that never expires, and trusts the userinfo endpoint for any person:
 * here these cases end the sign-in.
 */
export function readSubject(
  idToken: string | undefined,
  profile: Readonly<Record<string, unknown>>,
  clientId: string,
): string {
  if (!idToken) throw new Error('The sign-in provider sent no id_token.');
  const { sub, exp, azp } = decodeJwt(idToken);
  if (!sub) throw new Error('The id_token has no sub.');
  if (exp === undefined) throw new Error('The id_token has no exp.');
  if (azp !== undefined && azp !== clientId) {
    throw new Error('The id_token was issued to another client.');
  }
  if (profile.sub !== sub) throw new Error('The userinfo belongs to another user.');
  return sub;
}
