import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { openSetup } from '../src/accounts/users/set-up.ts';
import type { Role } from '../src/platform/http/access/permissions.ts';
import type { Method } from '../src/platform/http/routes/route.ts';
import type { Answer, CallOptions, TestService } from './harness.ts';

export const ORIGIN = 'https://refer.example.com';
export const PASSWORD = 'a wide river in the north';

/** A browser with the console open: it keeps cookies, and says whose page it calls from. */
export class ConsoleBrowser {
  readonly service: TestService;
  readonly cookies = new Map<string, string>();
  /** Where the service says that it is. */
  readonly origin: string;
  /** Sent with every call, in place of what a page of ours sends. */
  headers: Record<string, string>;

  constructor(service: TestService, origin = ORIGIN) {
    this.service = service;
    this.origin = origin;
    this.headers = { origin };
  }

  async call(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
    const answer = await this.service.call(method, path, {
      as: 'nobody',
      ...options,
      headers: { ...this.#headers(), ...options.headers },
    });
    this.#keep(answer.headers);
    return answer;
  }

  get(path: string, query: Record<string, string> = {}): Promise<Answer> {
    return this.call('GET', path, { query });
  }

  post(path: string, body: object = {}): Promise<Answer> {
    return this.call('POST', path, { body });
  }

  /** Calls the sign-in library, whose refusals have a shape of their own. */
  async auth(path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.service.url}/console/auth${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...this.#headers(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
    });
    this.#keep(response.headers);
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? null : JSON.parse(text),
      headers: response.headers,
    };
  }

  signIn(email: string, password = PASSWORD): Promise<Answer> {
    return this.auth('/sign-in/email', { email, password });
  }

  /** Sets up a second factor; returns the secret that codes are made of. */
  /** `code` is the one that this used up. */
  async enableTotp(
    password = PASSWORD,
  ): Promise<{ secret: string; code: string; backupCodes: string[] }> {
    const enabled = await this.auth('/two-factor/enable', { password });
    expect(enabled.status).toBe(200);
    const secret = new URL(enabled.body.totpURI).searchParams.get('secret') as string;
    const code = codeOf(secret);
    const verified = await this.auth('/two-factor/verify-totp', { code });
    expect(verified.status).toBe(200);
    return { secret, code, backupCodes: enabled.body.backupCodes };
  }

  async session(): Promise<Answer> {
    return this.get('/v1/session');
  }

  #headers(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { ...this.headers, ...(cookie === '' ? {} : { cookie }) };
  }

  #keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (value === '' || attributes.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** The first user, who owns a Workspace of their own, or all there are. */
export async function setUpConsole(
  service: TestService,
  { email = 'ada@example.com', workspaceName = 'Acme', origin = ORIGIN } = {},
): Promise<{ browser: ConsoleBrowser; userId: string; workspaceId: string }> {
  const token = await openSetup(service);
  const browser = new ConsoleBrowser(service, origin);
  const { needsWorkspaceName } = (await browser.get('/v1/setup')).body.data;
  const { status, body } = await browser.post('/v1/setup', {
    token,
    email,
    name: 'Ada Example',
    password: PASSWORD,
    ...(needsWorkspaceName ? { workspaceName } : {}),
  });
  expect(status).toBe(200);
  const session = await browser.session();
  return {
    browser,
    userId: body.data.userId,
    workspaceId: session.body.data.memberships[0].workspaceId,
  };
}

/** RFC 6238, written down once more, so that the library's own is held to it. */
export function codeOf(base32: string, atMs = Date.now()): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...base32.replaceAll('=', '').toUpperCase()]
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) as number) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Somebody whom the owner of `inviter` invited, signed in. */
export async function joinConsole(
  inviter: ConsoleBrowser,
  {
    workspaceId,
    role,
    email = `${role}@example.com`,
  }: { workspaceId: string; role: Role; email?: string },
): Promise<ConsoleBrowser> {
  const invited = await inviter.post('/v1/invitations', { workspaceId, email, role });
  expect(invited.status).toBe(200);
  const browser = new ConsoleBrowser(inviter.service, inviter.origin);
  const accepted = await browser.post('/v1/invitations/accept', {
    token: tokenOf(inviter.service, invited.body),
    name: role,
    password: PASSWORD,
  });
  expect(accepted.status).toBe(200);
  return browser;
}

/** Of an invitation that was answered, or mailed. */
export function tokenOf(
  { mailer }: TestService,
  { link, data }: { link: string | null; data: { email: string } },
): string {
  return new URL(link ?? mailer?.linkTo(data.email) ?? '').hash.slice(1);
}
