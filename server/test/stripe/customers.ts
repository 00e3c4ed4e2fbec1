import type { FakeBalanceTransaction, FakeCustomer } from './account.ts';
import { mapOf, mergeMetadata, type Params, textOf } from './form.ts';
import { invalid, missing, Refusal, required } from './refusal.ts';
import { integerOf, LIST_PARAMS, pageOf, type StripeCall, type StripeRoute } from './route.ts';

export function liveCustomer({ account }: StripeCall, id: string, status = 404): FakeCustomer {
  const customer = account.customers.get(id);
  if (!customer || customer.deleted) throw missing('customer', id, status);
  return customer;
}

/** Whether something made at that second is in the `created` of a list's query. */
export function isCreatedIn(params: Params, created: number): boolean {
  const exact = textOf(params, 'created');
  if (exact !== undefined) return created === Number(exact);
  const { gt, gte, lt, lte } = mapOf(params, 'created') ?? {};
  return (
    (gt === undefined || created > Number(gt)) &&
    (gte === undefined || created >= Number(gte)) &&
    (lt === undefined || created < Number(lt)) &&
    (lte === undefined || created <= Number(lte))
  );
}

export const customerRoutes: readonly StripeRoute[] = [
  {
    method: 'POST',
    path: '/v1/customers',
    takes: ['name', 'email', 'metadata'],
    run: ({ account, params }) =>
      account.addCustomer({
        name: textOf(params, 'name') ?? null,
        email: textOf(params, 'email') ?? null,
        metadata: mergeMetadata({}, params),
      }),
  },
  {
    method: 'GET',
    path: '/v1/customers',
    takes: [...LIST_PARAMS, 'email', 'created'],
    run: ({ account, params }) => {
      const email = textOf(params, 'email');
      const found = [...account.customers.values()].filter(
        (customer) =>
          !customer.deleted &&
          (email === undefined || customer.email === email) &&
          isCreatedIn(params, customer.created),
      );
      return pageOf('/v1/customers', found, params);
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/:customer',
    takes: [],
    run: ({ account, path }) => {
      const id = path.customer ?? '';
      const customer = account.customers.get(id);
      if (!customer) throw missing('customer', id);
      return customer.deleted ? { id, object: 'customer', deleted: true } : customer;
    },
  },
  {
    method: 'POST',
    path: '/v1/customers/:customer',
    takes: ['name', 'email', 'metadata'],
    run: (call) => {
      const customer = liveCustomer(call, call.path.customer ?? '');
      customer.name = textOf(call.params, 'name') ?? customer.name;
      customer.email = textOf(call.params, 'email') ?? customer.email;
      customer.metadata = mergeMetadata(customer.metadata, call.params);
      return customer;
    },
  },
  {
    method: 'DELETE',
    path: '/v1/customers/:customer',
    takes: [],
    run: (call) => {
      const customer = liveCustomer(call, call.path.customer ?? '');
      customer.deleted = true;
      return { id: customer.id, object: 'customer', deleted: true };
    },
  },
  {
    method: 'POST',
    path: '/v1/customers/:customer/balance_transactions',
    takes: ['amount', 'currency', 'description', 'metadata'],
    run: (call) => {
      const { account, params } = call;
      const customer = liveCustomer(call, call.path.customer ?? '');
      const amount = integerOf(params, 'amount');
      const currency = textOf(params, 'currency');
      if (amount === undefined) throw required('amount');
      if (currency === undefined) throw required('currency');
      if (amount === 0) throw invalid('amount', 'The amount must not be zero.');
      if (!/^[a-z]{3}$/.test(currency)) throw invalid('currency', 'Invalid currency.');
      if (customer.currency !== null && customer.currency !== currency) {
        throw new Refusal(
          400,
          `You cannot combine currencies on a single customer: it has ${customer.currency}.`,
          { param: 'currency' },
        );
      }
      customer.currency = currency;
      customer.balance += amount;
      const made: FakeBalanceTransaction = {
        id: account.newId('cbtxn'),
        object: 'customer_balance_transaction',
        ...account.stamp(),
        customer: customer.id,
        amount,
        currency,
        description: textOf(params, 'description') ?? null,
        ending_balance: customer.balance,
        type: 'adjustment',
        metadata: mergeMetadata({}, params),
      };
      account.balanceTransactions.push(made);
      return made;
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/:customer/balance_transactions',
    takes: [...LIST_PARAMS, 'created'],
    run: (call) => {
      // Stripe tells the history of a customer that was deleted, too.
      const id = call.path.customer ?? '';
      if (!call.account.customers.has(id)) throw missing('customer', id);
      const found = call.account.balanceTransactions.filter(
        ({ customer, created }) => customer === id && isCreatedIn(call.params, created),
      );
      return pageOf(`/v1/customers/${id}/balance_transactions`, found, call.params);
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/:customer/balance_transactions/:transaction',
    takes: [],
    run: ({ account, path }) => {
      const id = path.transaction ?? '';
      const found = account.balanceTransactions.find((made) => made.id === id);
      if (!found || found.customer !== path.customer) {
        throw missing('customer_balance_transaction', id);
      }
      return found;
    },
  },
];
