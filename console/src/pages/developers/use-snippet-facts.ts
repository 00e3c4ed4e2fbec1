import { useQuery } from '@tanstack/react-query';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { programsQuery } from '../programs/queries.ts';
import type { SnippetFacts } from './snippets.ts';
import { sourcesQuery } from './sources-query.ts';

/** What is filled into the code of this project, as far as it is there and the user may see it. */
export function useSnippetFacts(): { readonly facts: SnippetFacts; readonly isLoading: boolean } {
  const project = useProject();
  const sources = useQuery({ ...sourcesQuery(project.id), enabled: useMay('sources:write') });
  const programs = useQuery({ ...programsQuery(project.id), enabled: useMay('programs:read') });
  const ofReferral = programs.data?.filter(({ kind }) => kind === 'referral') ?? [];
  const program = ofReferral.find(({ status }) => status === 'active') ?? ofReferral[0];
  const source = sources.data?.find(({ enabled, kind }) => enabled && kind === 'application');
  return {
    isLoading: sources.isLoading || programs.isLoading,
    facts: {
      baseUrl: location.origin,
      projectId: project.id,
      projectKey: project.projectKey,
      programId: program?.id ?? null,
      sourceNamespaceId: source?.id ?? null,
    },
  };
}
