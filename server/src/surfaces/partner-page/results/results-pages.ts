import type { FastifyInstance } from 'fastify';
import type { PartnerPageDeps } from '../partner-page-deps.ts';
import type { Visits } from '../visit.ts';
import { readChoice } from './choice.ts';
import { loadResults } from './load-results.ts';
import { resultsPart } from './results-html.ts';

/** The results of another period or number, for the script of the overview: the content of the card alone. */
export function registerResultsPages(
  scope: FastifyInstance,
  deps: PartnerPageDeps,
  visits: Visits,
): void {
  scope.get('/partner/results', async (request, reply) => {
    const entered = await visits.enter(request, reply);
    if (!entered) return reply;
    const { frame, projects, programs } = entered;
    const choice = readChoice(request.query as Record<string, unknown>);
    const results = await loadResults(deps, projects, programs, choice);
    return reply.send(resultsPart(frame, results).text);
  });
}
