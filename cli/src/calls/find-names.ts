import { CliError, EXIT } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { type Named, type Names, participantIdsIn } from '../output/add-names.ts';
import type { Request } from './client.ts';

const NAMES_MAX = 100;

/** The Project that a call names. */
export function projectOf({ query, body, path }: Request): string | undefined {
  const { projectId } = { ...path, ...query, ...body } as { readonly projectId?: string };
  return projectId;
}

/** The names of the participants in an answer. None for a credential that may not read them. */
export async function findNames(
  { client }: Pick<Context, 'client'>,
  projectId: string | undefined,
  answer: unknown,
): Promise<Names> {
  const names = new Map<string, Named>();
  const ids = projectId === undefined ? [] : participantIdsIn(answer);
  for (let at = 0; at < ids.length; at += NAMES_MAX) {
    try {
      const { data } = await client.call({
        operation: 'GET /v1/participant-names',
        query: { projectId: projectId ?? '', ids: ids.slice(at, at + NAMES_MAX).join(',') },
        takesKey: true,
      });
      for (const one of data) names.set(one.participantId, one);
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode === EXIT.unreachable) throw error;
      return names;
    }
  }
  return names;
}
