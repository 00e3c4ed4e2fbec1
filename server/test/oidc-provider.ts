import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type FakeAnswer, type FakeRequest, FakeServer } from './fake-server.ts';

export const CLIENT = {
  clientId: 'goodword-console',
  clientSecret: 'example-secret-of-the-client',
};

/** Whom the provider says that it signed in. */
export interface Identity {
  readonly sub: string;
  readonly email: string;
  readonly email_verified?: unknown;
  readonly name?: string;
}

/** A provider of OpenID Connect: whoever is sent there is signed in at once, as `identity`. */
export class OidcProvider {
  identity: Identity = { sub: 'ada', email: 'ada@example.com', email_verified: true };
  /** What goes into the next token instead of what belongs there; undefined leaves a claim out. */
  forgedClaims: Record<string, unknown> = {};
  /** What comes in the place of the signed token. */
  forgeToken: (token: string) => string | undefined = (token) => token;
  /** Whom the userinfo endpoint speaks of, if not of `identity`. */
  otherUserInfo: Identity | null = null;
  isDown = false;
  readonly #codes = new Map<
    string,
    { nonce: string | null; challenge: string; redirect: string }
  >();
  readonly #server: FakeServer;
  readonly #keys: Awaited<ReturnType<typeof generateKeyPair>>;

  private constructor(server: FakeServer, keys: Awaited<ReturnType<typeof generateKeyPair>>) {
    this.#server = server;
    this.#keys = keys;
  }

  static async start(): Promise<OidcProvider> {
    const keys = await generateKeyPair('RS256', { extractable: true });
    const self: { provider?: OidcProvider } = {};
    const server = await FakeServer.start(
      (request) => self.provider?.answer(request) ?? { status: 503, body: {} },
    );
    self.provider = new OidcProvider(server, keys);
    return self.provider;
  }

  get issuer(): string {
    return this.#server.url;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** What the browser does at the provider: signs in there, and comes back with a code. */
  authorize(address: string): URL {
    const { searchParams } = new URL(address);
    const given = (name: string) => searchParams.get(name) ?? '';
    if (given('client_id') !== CLIENT.clientId || given('response_type') !== 'code') {
      throw new Error('The provider does not know this client.');
    }
    if (!given('scope').split(' ').includes('openid')) throw new Error('No scope openid.');
    if (given('code_challenge_method') !== 'S256') throw new Error('No challenge.');
    const code = `code-${this.#codes.size + 1}`;
    this.#codes.set(code, {
      nonce: searchParams.get('nonce'),
      challenge: given('code_challenge'),
      redirect: given('redirect_uri'),
    });
    const back = new URL(given('redirect_uri'));
    back.searchParams.set('code', code);
    back.searchParams.set('state', given('state'));
    return back;
  }

  async answer({ path, text, headers }: FakeRequest): Promise<FakeAnswer> {
    if (this.isDown) return { status: 503, body: {} };
    switch (path) {
      case '/.well-known/openid-configuration':
        return {
          status: 200,
          body: {
            issuer: this.issuer,
            authorization_endpoint: `${this.issuer}/authorize`,
            token_endpoint: `${this.issuer}/token`,
            userinfo_endpoint: `${this.issuer}/userinfo`,
            jwks_uri: `${this.issuer}/keys`,
            id_token_signing_alg_values_supported: ['RS256'],
          },
        };
      case '/keys': {
        const key = await exportJWK(this.#keys.publicKey);
        return { status: 200, body: { keys: [{ ...key, alg: 'RS256', use: 'sig', kid: 'one' }] } };
      }
      case '/token':
        return this.#exchange(new URLSearchParams(text), headers.authorization);
      case '/userinfo':
        return { status: 200, body: this.otherUserInfo ?? this.identity };
      default:
        return { status: 404, body: {} };
    }
  }

  async #exchange(form: URLSearchParams, authorization?: string): Promise<FakeAnswer> {
    const code = form.get('code') ?? '';
    const known = this.#codes.get(code);
    this.#codes.delete(code);
    const basic = `Basic ${Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64')}`;
    const isClient = authorization === basic || form.get('client_secret') === CLIENT.clientSecret;
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      known?.challenge === verifier && known.redirect === form.get('redirect_uri') && isClient;
    if (!known || !isRight) return { status: 400, body: { error: 'invalid_grant' } };
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const claims: Record<string, unknown> = {
      ...this.identity,
      iss: this.issuer,
      aud: CLIENT.clientId,
      iat: nowSeconds,
      exp: nowSeconds + 300,
      nonce: known.nonce,
      ...this.forgedClaims,
    };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(this.#keys.privateKey);
    const idToken = this.forgeToken(token);
    return {
      status: 200,
      body: {
        access_token: 'example-access',
        token_type: 'Bearer',
        ...(idToken === undefined ? {} : { id_token: idToken }),
      },
    };
  }
}
