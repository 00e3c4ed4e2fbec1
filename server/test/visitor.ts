import { expect } from 'vitest';
import type { TestService } from './harness.ts';

const BASE_URL = 'https://refer.example.com';

export interface Shown {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
  /** Where it leads, as a path. */
  readonly location: string | null;
}

/** Somebody at the partner's page, with the cookies of their browser; follows no redirect by itself. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  headers: Record<string, string> = {};
  readonly #service: TestService;

  constructor(service: TestService) {
    this.#service = service;
  }

  get(path: string): Promise<Shown> {
    return this.#ask(path, {});
  }

  /** Fills in the form of the page last seen and sends it, as a page of ours does. */
  post(
    path: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Shown> {
    return this.#ask(path, {
      method: 'POST',
      headers: { origin: BASE_URL, ...headers },
      body: new URLSearchParams({ form: this.formToken, ...fields }),
    });
  }

  formToken = '';

  /** Asks for a link, opens it and presses its button. */
  async signIn(email: string): Promise<Shown> {
    await this.get('/partner');
    await this.post('/partner/link', { email });
    await this.#service.sendMails();
    const { pathname, search, searchParams } = this.link(email);
    await this.get(pathname + search);
    return this.post('/partner/sign-in', { token: searchParams.get('token') ?? '' });
  }

  link(email: string): URL {
    if (!this.#service.mailer) throw new Error('Nothing is mailed without a mailer.');
    return this.#service.mailer.linkTo(email);
  }

  async #ask(path: string, init: RequestInit): Promise<Shown> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(this.#service.url + path, {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie ? { cookie } : {}), ...this.headers, ...init.headers },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const html = await answer.text();
    if (html !== '') expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    this.formToken = /name="form" value="([^"]*)"/.exec(html)?.[1] ?? this.formToken;
    const { status, headers } = answer;
    return { status, html, headers, location: headers.get('location') };
  }
}
