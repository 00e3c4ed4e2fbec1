import { queryOptions } from '@tanstack/react-query';
import { type Answer, answerOf, api, type Body, type Row } from '../../api/client.ts';

export type Review = Row<'/v1/risk-reviews'>;
export type ReviewDetail = Answer<'/v1/risk-reviews/{id}'>['data'];
export type ReviewStatus = Review['status'];
export type Decision = Body<'/v1/risk-reviews/{id}/decision'>['decision'];
export type FiredSignal = Review['signals'][number];
export type Signal = FiredSignal['signal'];
export type Ring = ReviewDetail['ring'];
type RiskPolicy = Row<'/v1/programs/{programId}/risk-policies'>;
export type RiskChoice = Pick<RiskPolicy, 'mode' | 'points' | 'reviewAt'>;
export type RiskPreview = Answer<'/v1/programs/{programId}/risk-policies/preview', 'post'>['data'];
export type RiskLists = Answer<'/v1/projects/{projectId}/risk-lists'>['data'];

/** All queries about risk are below this key: a decision changes most of them. */
const riskKey = (projectId: string) => ['risk', projectId] as const;

/** What a decision changes, apart from people and rewards. */
export const REVIEW_KEYS = ['risk', 'attention'] as const;

export const reviewsKey = (projectId: string) => [...riskKey(projectId), 'reviews'] as const;

export const reviewQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...riskKey(projectId), 'review', id],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { projectId } };
      return (await answerOf(api.GET('/v1/risk-reviews/{id}', { params, signal }))).data;
    },
  });

/** The review of a referral; null if it was never sent to one. */
export const reviewOfQuery = (projectId: string, referralId: string) =>
  queryOptions({
    queryKey: [...riskKey(projectId), 'review-of', referralId],
    queryFn: async ({ signal }) => {
      const params = { query: { projectId, referralId, limit: 1 } };
      const { data } = await answerOf(api.GET('/v1/risk-reviews', { params, signal }));
      return data[0] ?? null;
    },
  });

export const riskPoliciesQuery = (projectId: string, programId: string) =>
  queryOptions({
    // With those of the program: whatever changes it reads them again.
    queryKey: ['programs', projectId, programId, 'risk-policies'],
    queryFn: async ({ signal }) => {
      const params = { path: { programId }, query: { projectId } };
      return answerOf(api.GET('/v1/programs/{programId}/risk-policies', { params, signal }));
    },
  });

export const signalFiguresQuery = (projectId: string, programId: string) =>
  queryOptions({
    queryKey: [...riskKey(projectId), 'signals', programId],
    queryFn: async ({ signal }) => {
      const params = { query: { projectId, programId } };
      return (await answerOf(api.GET('/v1/risk-signals', { params, signal }))).data;
    },
  });

export const riskListsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...riskKey(projectId), 'lists'],
    queryFn: async ({ signal }) => {
      const params = { path: { projectId } };
      return (await answerOf(api.GET('/v1/projects/{projectId}/risk-lists', { params, signal })))
        .data;
    },
  });
