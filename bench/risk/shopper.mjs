import { createHash, createHmac } from 'node:crypto';
import { callService } from '../kit/service.mjs';

/** A change of the clock costs a call: these wait for the next of the others, for half an hour at most. */
const UNHURRIED = new Set(['register', 'panel', 'purchase', 'refund', 'payout']);
const UNHURRIED_SECONDS = 1_800;

/** Does in a sandbox Project what the people of a world do, one call after the other, by its clock. */
export class Shopper {
  #service;
  #target;
  #secret;
  #beginMs;
  /** The Project's time when it was set last, and when that was by ours. */
  #clock = { projectMs: 0, atMs: 0 };
  #codes = new Map();
  #handles = new Map();

  constructor(service, target, secret) {
    this.#service = service;
    this.#target = target;
    this.#secret = secret;
  }

  async do(calls) {
    const { data } = await this.#asOperator('GET', this.#clockPath);
    this.#beginMs = Date.parse(data.now);
    this.#clock = { projectMs: this.#beginMs, atMs: Date.now() };
    for (const call of calls) {
      await this.#waitFor(call);
      await this[call.do](call);
    }
  }

  get #clockPath() {
    return `/v1/projects/${this.#target.projectId}/clock`;
  }

  #asOperator(method, path, body) {
    return callService(this.#service, method, path, body && { body });
  }

  #asBackend(method, path, body) {
    const { projectId, key } = this.#target;
    return callService(this.#service, method, path, { body: { projectId, ...body }, key });
  }

  async #waitFor(call) {
    const wantedMs = this.#beginMs + call.at * 1_000;
    const nowMs = this.#clock.projectMs + Date.now() - this.#clock.atMs;
    const slackMs = UNHURRIED.has(call.do) ? UNHURRIED_SECONDS * 1_000 : 0;
    if (wantedMs <= nowMs + slackMs) return;
    await this.#asOperator('PUT', this.#clockPath, { now: new Date(wantedMs).toISOString() });
    this.#clock = { projectMs: wantedMs, atMs: Date.now() };
  }

  register({ person, email }) {
    return this.#asBackend('PUT', '/v1/participants', { participant: named(person), email });
  }

  async panel({ person, ip }) {
    const { referral } = await this.#inBrowser('POST', '/v1/widget/init', {
      ip,
      token: this.#signToken(person),
      body: { projectId: this.#target.projectId },
    });
    this.#codes.set(person, referral.code);
  }

  async land({ browser, of, ip }) {
    const { projectKey } = this.#target;
    const ref = this.#codes.get(of);
    const { handle } = await this.#inBrowser('POST', '/v1/clicks', {
      ip,
      body: { projectKey, ref, url: `https://example.com/?ref=${ref}` },
    });
    this.#handles.set(browser, handle);
  }

  signup({ person, browser, referrer }) {
    return this.#track({
      type: 'signup',
      participant: named(person),
      ...(browser === null
        ? { refCode: this.#codes.get(referrer) }
        : { identify: { handle: this.#handles.get(browser) } }),
    });
  }

  purchase({ person, order }) {
    return this.#track({
      type: 'purchase',
      participant: named(person),
      sourceEventId: order,
      purchase: { amountMinor: '4900', currency: 'USD', invoiceId: order },
    });
  }

  refund({ order }) {
    const { sourceNamespaceId } = this.#target;
    return this.#asBackend('POST', '/v1/track/adjustments', {
      sourceNamespaceId,
      sourceEventId: `refund-${order}`,
      purchase: { sourceEventId: order },
      kind: 'refund',
      amountMinor: '4900',
      currency: 'USD',
      currencyExponent: 2,
      occurredAt: new Date(this.#clock.projectMs).toISOString(),
    });
  }

  payout({ person, account }) {
    return this.#inBrowser('PUT', '/v1/widget/payout-details', {
      ip: '127.0.0.1',
      token: this.#signToken(person),
      body: {
        projectId: this.#target.projectId,
        details: {
          type: 'bank',
          holderName: 'A Person',
          country: 'GB',
          currency: 'USD',
          iban: makeIban(account),
        },
      },
    });
  }

  #track(event) {
    const { sourceNamespaceId } = this.#target;
    return this.#asBackend('POST', '/v1/track/events', { sourceNamespaceId, ...event });
  }

  async #inBrowser(method, path, { ip, token, body }) {
    const response = await fetch(this.#service.url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': ip,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  #signToken(person) {
    const { projectId } = this.#target;
    const iat = Math.floor(Date.now() / 1_000);
    const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = [
      part({ alg: 'HS256', typ: 'service-widget+jwt' }),
      part({
        iss: projectId,
        projectId,
        aud: 'service-widget',
        sub: person,
        participantKind: 'individual',
        iat,
        exp: iat + 600,
        scope: 'widget:read widget:payout',
      }),
    ].join('.');
    return `${text}.${createHmac('sha256', this.#secret).update(text).digest('base64url')}`;
  }
}

const named = (externalId) => ({ kind: 'individual', externalId });

/** A British account number with its check digits: the same for the same name. */
function makeIban(name) {
  const digits = BigInt(`0x${createHash('sha256').update(name).digest('hex')}`).toString();
  const account = `NWBK${digits.slice(0, 14)}`;
  const asNumber = `${account}GB00`.replace(/[A-Z]/g, (letter) => letter.charCodeAt(0) - 55);
  const check = 98n - (BigInt(asNumber) % 97n);
  return `GB${String(check).padStart(2, '0')}${account}`;
}
