import { timingSafeEqual } from 'node:crypto';
import type Stripe from 'stripe';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import { invalid, unavailable } from '../../../platform/kit/errors.ts';
import { HOUR_MS } from '../../../platform/kit/instant.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import type { OnboardedPayee, PayeeOnboarding } from '../../payouts/details/details.ts';
import { findPayeeAccount } from '../../payouts/details/queries.ts';
import { openCredentials } from '../payout-connections/payout-connection.ts';
import { findConnectionAt } from '../payout-connections/payout-connection-store.ts';
import { createStripeClient, type StripeReach } from '../stripe/connections/client.ts';
import { isStripeError } from '../stripe/stripe-error.ts';

export const ONBOARDING_PATH = '/payout-onboarding';

export interface OnboardingDeps {
  readonly reads: Queryable;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly baseUrl: string;
  /** Replaces Stripe's host in tests. */
  readonly reach?: StripeReach | undefined;
}

type Place = Pick<ProjectRef, 'id' | 'workspaceId' | 'environment'>;

interface Platform {
  readonly connectionId: string;
  readonly client: Stripe;
}

/** Payees' accounts at Stripe, connected to the account that their project pays from. */
export class StripeOnboarding implements PayeeOnboarding {
  readonly #deps: OnboardingDeps;

  constructor(deps: OnboardingDeps) {
    this.#deps = deps;
  }

  async isConnected(project: Place): Promise<boolean> {
    return (await this.#findPlatform(project)) !== undefined;
  }

  /** Fails with SERVICE_UNAVAILABLE when Stripe fails. */
  async begin(project: Place, participantId: string): Promise<OnboardedPayee> {
    const platform = await this.#findPlatform(project);
    if (!platform) throw unavailable('There is no longer a connected Stripe account to pay from.');
    const payee = { projectId: project.id, participantId };
    return askStripe(async () => {
      const known = await this.#findAccount(platform, payee);
      return this.#show(platform, known ?? (await createAccount(platform, payee)), payee);
    });
  }

  /** Fails with SERVICE_UNAVAILABLE when Stripe fails. */
  async resume(project: Place, participantId: string): Promise<OnboardedPayee | null> {
    const platform = await this.#findPlatform(project);
    if (!platform) return null;
    const payee = { projectId: project.id, participantId };
    return askStripe(async () => {
      const account = await this.#findAccount(platform, payee);
      return account && this.#show(platform, account, payee);
    });
  }

  async #show({ client }: Platform, account: Stripe.Account, payee: Onboarded) {
    const isReady = isPayable(account);
    const onboardingUrl = isReady ? null : await this.#link(client, account.id, payee);
    return { accountId: account.id, onboardingUrl, isReady };
  }

  async #findAccount({ client }: Platform, { projectId, participantId }: Onboarded) {
    const { reads, keyring } = this.#deps;
    const accountId = await findPayeeAccount(reads, keyring, projectId, participantId);
    return accountId === null ? null : retrieveAccount(client, accountId);
  }

  async #link(client: Stripe, account: string, payee: Onboarded): Promise<string> {
    const { baseUrl, keyring, clock } = this.#deps;
    const token = makeOnboardingToken(keyring, payee, clock.nowMs());
    const page = `${baseUrl}${ONBOARDING_PATH}`;
    const { url } = await client.accountLinks.create({
      account,
      type: 'account_onboarding',
      refresh_url: `${page}/refresh?token=${token}`,
      return_url: `${page}/return?token=${token}`,
    });
    return url;
  }

  async #findPlatform({ workspaceId, environment }: Place): Promise<Platform | undefined> {
    const { reads, keyring, reach } = this.#deps;
    const row = await findConnectionAt(reads, workspaceId, environment, 'stripe_connect');
    if (!row) return undefined;
    const credentials = openCredentials(keyring, row);
    if (credentials.method !== 'stripe_connect') return undefined;
    const client = await createStripeClient(credentials.secretKey, reach);
    return { connectionId: row.id, client };
  }
}

/** Fails with SERVICE_UNAVAILABLE when Stripe gives no usable response. */
export async function askStripe<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isStripeError(error)) throw error;
    throw unavailable('Stripe did not give a usable response. Try again later.', undefined, {
      type: error.type,
      code: error.code,
    });
  }
}

/** It can receive money and pay it out to the payee's bank. */
export function isPayable(account: Stripe.Account): boolean {
  return account.payouts_enabled && account.capabilities?.transfers === 'active';
}

/** Returns the same account when repeated within a day, before it was saved here. */
function createAccount(
  { connectionId, client }: Platform,
  { projectId, participantId }: Onboarded,
): Promise<Stripe.Account> {
  return client.accounts.create(
    {
      type: 'express',
      capabilities: { transfers: { requested: true } },
      metadata: { projectId, participantId },
    },
    { idempotencyKey: `payee_${connectionId}_${projectId}_${participantId}` },
  );
}

/**
 * Null if the account does not belong to this platform: it belongs to one connected earlier, or was
 * closed.
 */
export async function retrieveAccount(
  client: Stripe,
  accountId: string,
): Promise<Stripe.Account | null> {
  try {
    return await client.accounts.retrieve(accountId);
  } catch (error) {
    const isGone = isStripeError(error) && (error.statusCode === 403 || error.statusCode === 404);
    if (isGone) return null;
    throw error;
  }
}

/**
 * The account that a key belongs to; a rolled key belongs to the same one. Fails with INVALID_REQUEST
 * for a key without permission to read it, or SERVICE_UNAVAILABLE when Stripe does not answer.
 */
export async function readAccountId(secretKey: string, reach: StripeReach | null): Promise<string> {
  const client = await createStripeClient(secretKey, reach ?? undefined);
  return askStripe(async () => {
    try {
      return (await client.accounts.retrieveCurrent()).id;
    } catch (error) {
      const isRefused =
        isStripeError(error, 'StripeAuthenticationError') ||
        isStripeError(error, 'StripePermissionError');
      if (!isRefused) throw error;
      throw invalid(
        'stripeConnect.secretKey',
        'cannot read its own account at Stripe; it must be valid, and a restricted key needs permission to read accounts',
      );
    }
  });
}

/** A token opens the payee's form at Stripe, so it is valid for one session only. */
const LIFE_MS = HOUR_MS;

export interface Onboarded {
  readonly projectId: string;
  readonly participantId: string;
}

function makeOnboardingToken(keyring: Keyring, payee: Onboarded, nowMs: number): string {
  const text = JSON.stringify([payee.projectId, payee.participantId, nowMs + LIFE_MS]);
  return `${Buffer.from(text).toString('base64url')}.${sign(keyring, text).toString('base64url')}`;
}

/** Undefined if it is not one of our tokens, or expired. */
export function readOnboardingToken(
  keyring: Keyring,
  token: string,
  nowMs: number,
): Onboarded | undefined {
  const [body = '', mac = ''] = token.split('.');
  const text = Buffer.from(body, 'base64url').toString('utf8');
  const [given, right] = [Buffer.from(mac, 'base64url'), sign(keyring, text)];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  const [projectId, participantId, until] = JSON.parse(text) as [string, string, number];
  return nowMs < until ? { projectId, participantId } : undefined;
}

function sign(keyring: Keyring, text: string): Buffer {
  return keyring.hmac('payout-onboarding', text);
}
