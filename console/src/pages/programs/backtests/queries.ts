import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../../api/client.ts';
import type { Tone } from '../../../ui/status-badge.tsx';

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
const LIST_POLL_MS = 3_000;

export const isOpen = ({ status }: Pick<Backtest, 'status'>): boolean =>
  status === 'queued' || status === 'running';

interface State {
  readonly label: string;
  readonly tone: Tone;
}

export const STATES: Readonly<Record<Backtest['status'], State>> = {
  queued: { label: 'Waiting', tone: 'waits' },
  running: { label: 'Running', tone: 'waits' },
  done: { label: 'Done', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'over' },
};

/** All queries about back-tests are below this key; at the key itself is their list. */
export const backtestsKey = (projectId: string) => [projectId, 'backtests'] as const;

/** The recent ones of the project, newest first. */
export const backtestsQuery = (projectId: string) =>
  queryOptions({
    queryKey: backtestsKey(projectId),
    queryFn: async ({ signal }) => {
      const params = { query: { projectId, limit: 50 } };
      return (await answerOf(api.GET('/v1/backtests', { params, signal }))).data;
    },
    refetchInterval: ({ state: { data } }) => (data?.some(isOpen) ? LIST_POLL_MS : false),
  });

/** Read again while it waits or runs. */
export const backtestQuery = (projectId: string, backtestId: string) =>
  queryOptions({
    queryKey: [...backtestsKey(projectId), backtestId],
    queryFn: async ({ signal }) => {
      const params = { path: { backtestId }, query: { projectId } };
      return (await answerOf(api.GET('/v1/backtests/{backtestId}', { params, signal }))).data;
    },
    refetchInterval: ({ state: { data } }) => (data && isOpen(data) ? POLL_MS : false),
  });

export const differencesQuery = (projectId: string, backtestId: string) =>
  infiniteQueryOptions({
    queryKey: [...backtestsKey(projectId), backtestId, 'differences'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      const params = { path: { backtestId }, query: { projectId, limit: 10, ...cursor } };
      return answerOf(api.GET('/v1/backtests/{backtestId}/differences', { params, signal }));
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
