import { parseUrl } from '../../src/platform/kit/parse-url.ts';
import type { FakeAccount } from './account.ts';
import { isCreatedIn } from './customers.ts';
import { mapOf, type Params, textOf } from './form.ts';
import { invalid, missing, Refusal, required } from './refusal.ts';
import { integerOf, LIST_PARAMS, pageOf, type StripeRoute } from './route.ts';

interface FakeTransfer {
  readonly id: string;
  readonly object: 'transfer';
  readonly created: number;
  readonly livemode: boolean;
  readonly amount: number;
  readonly currency: string;
  readonly destination: string;
  readonly transfer_group: string | null;
  readonly metadata: Record<string, string>;
  amount_reversed: number;
  reversed: boolean;
}

export interface FakeConnected {
  readonly id: string;
  readonly object: 'account';
  readonly created: number;
  readonly type: string;
  readonly metadata: Record<string, string>;
  details_submitted: boolean;
  payouts_enabled: boolean;
  capabilities: { transfers: 'active' | 'inactive' };
}

/** What a platform has: connected accounts, and what went to them. */
export interface FakePlatform {
  readonly transfers: FakeTransfer[];
  readonly connected: Map<string, FakeConnected>;
  /** In Stripe's units of every currency; null for as much as it takes. */
  balance: number | null;
}

const platforms = new WeakMap<FakeAccount, FakePlatform>();

export function platformOf(account: FakeAccount): FakePlatform {
  const known = platforms.get(account);
  if (known) return known;
  const made: FakePlatform = { transfers: [], connected: new Map(), balance: null };
  platforms.set(account, made);
  return made;
}

/** One that has finished its onboarding, unless told otherwise. */
export function addConnected(
  account: FakeAccount,
  facts: Partial<FakeConnected> = {},
): FakeConnected {
  const made: FakeConnected = {
    id: account.newId('acct'),
    object: 'account',
    ...account.stamp(),
    type: 'express',
    metadata: {},
    details_submitted: true,
    payouts_enabled: true,
    capabilities: { transfers: 'active' },
    ...facts,
  };
  platformOf(account).connected.set(made.id, made);
  return made;
}

function metadataOf(params: Params): Record<string, string> {
  return Object.fromEntries(
    Object.entries(mapOf(params, 'metadata') ?? {}).map(([name, value]) => [name, String(value)]),
  );
}

function connectedOf(account: FakeAccount, id: string | undefined, param: string): FakeConnected {
  const found = platformOf(account).connected.get(id ?? '');
  if (!found) throw missing(param, id ?? '', param === 'account' ? 403 : 400);
  return found;
}

export const connectRoutes: readonly StripeRoute[] = [
  {
    method: 'POST',
    path: '/v1/transfers',
    takes: ['amount', 'currency', 'destination', 'transfer_group', 'metadata', 'description'],
    run({ account, params }) {
      const platform = platformOf(account);
      const amount = integerOf(params, 'amount');
      const currency = textOf(params, 'currency');
      if (amount === undefined) throw required('amount');
      if (!currency) throw required('currency');
      if (amount < 1) throw invalid('amount', 'Invalid positive integer');
      const { id, capabilities } = connectedOf(
        account,
        textOf(params, 'destination'),
        'destination',
      );
      if (capabilities.transfers !== 'active') {
        throw new Refusal(400, 'Your destination account needs the transfers capability.', {
          code: 'insufficient_capabilities_for_transfer',
        });
      }
      if (platform.balance !== null && platform.balance < amount) {
        throw new Refusal(400, 'You have insufficient available funds.', {
          code: 'balance_insufficient',
        });
      }
      if (platform.balance !== null) platform.balance -= amount;
      const made: FakeTransfer = {
        id: account.newId('tr'),
        object: 'transfer',
        ...account.stamp(),
        amount,
        currency,
        destination: id,
        transfer_group: textOf(params, 'transfer_group') ?? null,
        metadata: metadataOf(params),
        amount_reversed: 0,
        reversed: false,
      };
      platform.transfers.push(made);
      return made;
    },
  },
  {
    method: 'GET',
    path: '/v1/transfers',
    takes: [...LIST_PARAMS, 'transfer_group', 'destination', 'created'],
    run({ account, params }) {
      const group = textOf(params, 'transfer_group');
      const { transfers } = platformOf(account);
      const found = transfers.filter(
        (one) =>
          (group === undefined || one.transfer_group === group) && isCreatedIn(params, one.created),
      );
      return pageOf('/v1/transfers', found, params);
    },
  },
  {
    method: 'GET',
    path: '/v1/transfers/:transfer',
    takes: [],
    run({ account, path }) {
      const found = platformOf(account).transfers.find(({ id }) => id === path.transfer);
      if (!found) throw missing('transfer', path.transfer ?? '');
      return found;
    },
  },
  {
    method: 'POST',
    path: '/v1/transfers/:transfer/reversals',
    takes: ['amount'],
    run({ account, path, params }) {
      const found = platformOf(account).transfers.find(({ id }) => id === path.transfer);
      if (!found) throw missing('transfer', path.transfer ?? '');
      const left = found.amount - found.amount_reversed;
      const amount = integerOf(params, 'amount') ?? left;
      if (amount < 1 || amount > left) throw invalid('amount', 'More than is left.');
      found.amount_reversed += amount;
      found.reversed = found.amount_reversed === found.amount;
      return { id: account.newId('trr'), object: 'transfer_reversal', amount, transfer: found.id };
    },
  },
  {
    method: 'POST',
    path: '/v1/accounts',
    takes: ['type', 'capabilities', 'metadata'],
    run({ account, params }) {
      return addConnected(account, {
        type: textOf(params, 'type') ?? 'custom',
        metadata: metadataOf(params),
        details_submitted: false,
        payouts_enabled: false,
        capabilities: { transfers: 'inactive' },
      });
    },
  },
  {
    method: 'GET',
    path: '/v1/account',
    takes: [],
    run: ({ account }) => ({ id: account.id, object: 'account' }),
  },
  {
    method: 'GET',
    path: '/v1/accounts/:account',
    takes: [],
    run: ({ account, path }) => connectedOf(account, path.account, 'account'),
  },
  {
    method: 'POST',
    path: '/v1/account_links',
    takes: ['account', 'refresh_url', 'return_url', 'type'],
    run({ account, params }) {
      const { id } = connectedOf(account, textOf(params, 'account'), 'account');
      for (const name of ['refresh_url', 'return_url']) {
        if (!parseUrl(textOf(params, name) ?? '')) throw invalid(name, 'Not a valid URL');
      }
      if (textOf(params, 'type') !== 'account_onboarding') throw invalid('type', 'Invalid type');
      const url = `https://connect.stripe.com/setup/e/${id}/${account.newId('x')}`;
      return { object: 'account_link', ...account.stamp(), expires_at: 0, url };
    },
  },
];
