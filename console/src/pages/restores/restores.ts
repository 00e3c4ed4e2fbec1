import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Row } from '../../api/client.ts';
import type { Tone } from '../../ui/status-badge.tsx';

const MINUTE_MS = 60_000;
const SOON_MS = 3_000;

export type Restore = Row<'/v1/workspaces/{workspaceId}/restores'>;
export type Check = Restore['checks'][number];
export type Advance = Row<'/v1/workspaces/{workspaceId}/restores/{restoreId}/transfers'>;

/** The restores of a workspace, newest first. Read often while one is being asked about. */
export const restoresQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['restores', workspaceId],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/workspaces/{workspaceId}/restores', {
            params: { path: { workspaceId } },
            signal,
          }),
        )
      ).data,
    refetchInterval: ({ state }) =>
      heldOf(state.data)?.checks.some(({ status }) => status === 'asking') ? SOON_MS : MINUTE_MS,
  });

/** The one because of which nothing is paid. */
export const heldOf = (restores: readonly Restore[] | undefined): Restore | undefined =>
  restores?.find(({ status }) => status === 'held');

/** What providers sent and this store did not know of. */
export const advancesQuery = (workspaceId: string, restoreId: string) =>
  queryOptions({
    queryKey: ['restores', workspaceId, restoreId, 'transfers'],
    queryFn: async ({ signal }) =>
      answerOf(
        api.GET('/v1/workspaces/{workspaceId}/restores/{restoreId}/transfers', {
          params: { path: { workspaceId, restoreId }, query: { limit: 100 } },
          signal,
        }),
      ),
  });

const NAMES: Readonly<Record<string, string>> = {
  paypal: 'PayPal',
  wise: 'Wise',
  stripe_connect: 'Stripe Connect',
  stripe_balance: 'Stripe balances',
};

export const nameOf = (method: string): string => NAMES[method] ?? method;

/** How a check stands, in words. */
export function describeCheck(check: Pick<Check, 'status' | 'override'>): {
  tone: Tone;
  label: string;
} {
  if (check.status === 'asked') return { tone: 'good', label: 'Checked' };
  if (check.override) return { tone: 'care', label: 'Skipped' };
  switch (check.status) {
    case 'asking':
      return { tone: 'waits', label: 'Being checked' };
    case 'failed':
      return { tone: 'bad', label: 'No answer yet' };
    default:
      return { tone: 'care', label: 'Cannot be checked' };
  }
}

/** What it means for payouts that the payees of some transfers are not known. */
export function sayUnassigned(count: number): string {
  return count === 1
    ? 'The payee of 1 transfer is not known. It is deducted once somebody is paid to the same account.'
    : `The payees of ${count} transfers are not known. Each is deducted once somebody is paid to the same account.`;
}

/** Ids as people paste them: separated by spaces, commas or lines. */
export function readReferences(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((one) => one !== ''))];
}
