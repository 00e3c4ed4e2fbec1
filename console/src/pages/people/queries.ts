import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api, type Row } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { programsQuery, ruleListQuery } from '../programs/queries.ts';

export type ParticipantDetail = Answer<'/v1/participants/{id}'>['data'];
export type TrackedEvent = Row<'/v1/events'>;
export type Referral = Answer<'/v1/referrals/{id}'>['data'];
export type ListedReferral = Row<'/v1/referrals'>;
export type Explanation = Answer<'/v1/events/{id}/explanation'>['data'];
export type Rule = Row<'/v1/programs/{programId}/benefit-rules'>;
export type TermsVersion = Row<'/v1/benefit-rules/{ruleId}/terms'>;

/** What a write may change and has to be reloaded: everything about people and what they earned. */
export const PEOPLE_KEYS = ['participants', 'referrals', 'events', 'rewards', 'payouts'] as const;

const byId = (projectId: string, id: string, signal: AbortSignal) => ({
  params: { path: { id }, query: { projectId } },
  signal,
});

export const participantQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ['participants', projectId, id],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/v1/participants/{id}', byId(projectId, id, signal)))).data,
  });

export const eventQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ['events', projectId, id],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/v1/events/{id}', byId(projectId, id, signal)))).data,
  });

export const explanationQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ['events', projectId, id, 'explanation'],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/v1/events/{id}/explanation', byId(projectId, id, signal)))).data,
  });

export const referralQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ['referrals', projectId, id],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/v1/referrals/{id}', byId(projectId, id, signal)))).data,
  });

export const touchQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ['touches', projectId, id],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/v1/touches/{id}', byId(projectId, id, signal)))).data,
    staleTime: 300_000,
  });

/** The project's programs; none for users who may not see them. */
export function usePrograms() {
  const { id } = useProject();
  const { data = [] } = useQuery({ ...programsQuery(id), enabled: useMay('programs:read') });
  return data;
}

/** Every rule of the project by id, because an explanation names rules without their programs. */
export function useRules(): ReadonlyMap<string, Rule> {
  const { id: projectId } = useProject();
  const programs = usePrograms();
  return useQueries({
    queries: programs.map(({ id: programId }) => ruleListQuery(projectId, programId)),
    combine: (answers) =>
      new Map(answers.flatMap(({ data = [] }) => data.map((rule) => [rule.id, rule] as const))),
  });
}

/** A version of a rule's terms. */
export function useTerms(ruleId: string, termsVersionId: string | null): TermsVersion | undefined {
  const { id: projectId } = useProject();
  const mayRead = useMay('programs:read');
  const { data } = useQuery({
    queryKey: ['programs', projectId, 'rule', ruleId, 'terms'],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/benefit-rules/{ruleId}/terms', {
            params: { path: { ruleId }, query: { projectId } },
            signal,
          }),
        )
      ).data,
    enabled: mayRead && termsVersionId !== null,
    staleTime: 60_000,
  });
  return data?.find(({ id }) => id === termsVersionId);
}
