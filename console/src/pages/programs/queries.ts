import { queryOptions } from '@tanstack/react-query';
import { type Answer, answerOf, api, type Body, type Row } from '../../api/client.ts';
import { useClockOffset } from '../../app/project-clock.ts';

export type ListedProgram = Row<'/v1/programs'>;
export type Program = Answer<'/v1/programs/{programId}'>['data'];
export type ProgramConfig = Program['config'];
export type WidgetConfig = ProgramConfig['widgetConfig'];
export type ProgramKind = Program['kind'];
export type ProgramStatus = Program['status'];
export type ProgramSummary = Answer<'/v1/programs/{programId}/summary'>['data'];
export type Policy = Row<'/v1/programs/{programId}/attribution-policies'>;
export type Rule = Row<'/v1/programs/{programId}/benefit-rules'>;
export type TermsVersion = Row<'/v1/benefit-rules/{ruleId}/terms'>;
export type TermsBody = Body<'/v1/benefit-rules/{ruleId}/terms'>['terms'];
export type Delivery = Answer<'/v1/programs/{programId}/delivery-settings'>['data'];

/**
 * All queries about programs are below this key, so that one change refreshes everything that shows
 * it.
 */
export const programsKey = (projectId: string) => ['programs', projectId] as const;
const programKey = (projectId: string, programId: string) =>
  [...programsKey(projectId), programId] as const;

export const programsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...programsKey(projectId), 'list'],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/v1/programs', { params: { query: { projectId } }, signal }))).data,
    staleTime: 60_000,
  });

const about = (projectId: string, programId: string, signal: AbortSignal) => ({
  params: { path: { programId }, query: { projectId } },
  signal,
});

export const programQuery = (projectId: string, programId: string) =>
  queryOptions({
    queryKey: [...programKey(projectId, programId), 'itself'],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/v1/programs/{programId}', about(projectId, programId, signal))))
        .data,
  });

export const summaryQuery = (projectId: string, programId: string) =>
  queryOptions({
    queryKey: [...programKey(projectId, programId), 'summary'],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/programs/{programId}/summary', about(projectId, programId, signal)),
        )
      ).data,
  });

export const policiesQuery = (projectId: string, programId: string) =>
  queryOptions({
    queryKey: [...programKey(projectId, programId), 'policies'],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET(
            '/v1/programs/{programId}/attribution-policies',
            about(projectId, programId, signal),
          ),
        )
      ).data,
  });

export const deliveryQuery = (projectId: string, programId: string) =>
  queryOptions({
    queryKey: [...programKey(projectId, programId), 'delivery'],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET(
            '/v1/programs/{programId}/delivery-settings',
            about(projectId, programId, signal),
          ),
        )
      ).data,
  });

/** What is in force, as a file. */
export const definitionQuery = (projectId: string, programId: string) =>
  queryOptions({
    queryKey: [...programKey(projectId, programId), 'definition'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/programs/{programId}/definition', about(projectId, programId, signal))),
  });

/** Only the rules of a program, for users of their names. */
export const ruleListQuery = (projectId: string, programId: string) =>
  queryOptions({
    queryKey: [...programKey(projectId, programId), 'rule-list'],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/programs/{programId}/benefit-rules', about(projectId, programId, signal)),
        )
      ).data,
    staleTime: 60_000,
  });

export interface RuleWithTerms {
  readonly rule: Rule;
  /** Newest first, never empty. */
  readonly versions: readonly TermsVersion[];
}

/** The rules of a program with all versions of their terms: at most 100 rules, mostly two. */
export const rulesQuery = (projectId: string, programId: string) =>
  queryOptions({
    queryKey: [...programKey(projectId, programId), 'rules-with-terms'],
    queryFn: async ({ signal }): Promise<RuleWithTerms[]> => {
      const rules = await answerOf(
        api.GET('/v1/programs/{programId}/benefit-rules', about(projectId, programId, signal)),
      );
      return Promise.all(
        rules.data.map(async (rule) => {
          const params = { path: { ruleId: rule.id }, query: { projectId } };
          const terms = await answerOf(
            api.GET('/v1/benefit-rules/{ruleId}/terms', { params, signal }),
          );
          return { rule, versions: terms.data };
        }),
      );
    },
  });

/**
 * The time of the page's project, which decides which version is in force. A sandbox may be ahead
 * of the real time.
 */
export function useProjectNow(): number {
  return Date.now() + useClockOffset();
}
