import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../../api/client.ts';

export type Backtest = Answer<'/v1/backtests/{backtestId}', 'get'>['data'];

type Found = 'totals' | 'byRule' | 'byBeneficiary' | 'byDay' | 'reviews' | 'referrals' | 'events';
/** What a back-test found. */
export type BacktestResult = { [K in Found]: NonNullable<Backtest[K]> };

/** Null until it is done. */
export function resultOf(backtest: Backtest): BacktestResult | null {
  const { totals, byRule, byBeneficiary, byDay, reviews, referrals, events } = backtest;
  return totals && byRule && byBeneficiary && byDay && reviews && referrals && events
    ? { totals, byRule, byBeneficiary, byDay, reviews, referrals, events }
    : null;
}

export type Difference = Answer<'/v1/backtests/{backtestId}/differences', 'get'>['data'][number];

const POLL_MS = 1_000;

export const isOpen = ({ status }: Pick<Backtest, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** Read again while it waits or runs. */
export const backtestQuery = (projectId: string, backtestId: string) =>
  queryOptions({
    queryKey: [projectId, 'backtests', backtestId],
    queryFn: async ({ signal }) => {
      const params = { path: { backtestId }, query: { projectId } };
      return (await answerOf(api.GET('/v1/backtests/{backtestId}', { params, signal }))).data;
    },
    refetchInterval: ({ state: { data } }) => (data && isOpen(data) ? POLL_MS : false),
  });

export const differencesQuery = (projectId: string, backtestId: string) =>
  infiniteQueryOptions({
    queryKey: [projectId, 'backtests', backtestId, 'differences'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      const params = { path: { backtestId }, query: { projectId, limit: 10, ...cursor } };
      return answerOf(api.GET('/v1/backtests/{backtestId}/differences', { params, signal }));
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
