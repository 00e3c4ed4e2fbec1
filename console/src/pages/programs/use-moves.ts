import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../app/session.ts';
import { type Program, rulesQuery, summaryQuery } from './queries.ts';
import type { MoveFacts } from './status-moves.ts';

/**
 * What a change of the program's status would affect, in numbers as far as the user may see them.
 */
export function useMoveFacts(program: Program): MoveFacts {
  const { id: programId, projectId, kind, status, startDate, config } = program;
  const mayRead = useMay('referrals:read');
  const summary = useQuery({ ...summaryQuery(projectId, programId), enabled: mayRead });
  const rules = useQuery(rulesQuery(projectId, programId));
  return {
    kind,
    status,
    startDate,
    landingPageUrl: config.brandConfig.landingPageUrl,
    counts: summary.data ?? null,
    ruleCount: rules.data?.length ?? null,
  };
}
