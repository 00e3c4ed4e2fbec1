import type { Event } from '../../../domain/tracking/event-schema.ts';
import type { Explanation } from '../../../domain/tracking/read/explanation.ts';
import { CliError, EXIT } from '../cli-error.ts';
import { type Context, findProject } from '../context.ts';
import type { Values } from '../output/values.ts';
import { explainText, type Terms } from './explain-text.ts';

type Get = <A>(path: string) => Promise<A>;

/** Prints why an event was credited, and what it earned; of a reward, its event's. */
export async function runExplain(context: Context, values: Values): Promise<undefined> {
  const { client, io } = context;
  const projectId = await findProject(context, values);
  const get: Get = (path) =>
    client.call({ method: 'GET', path, query: { projectId }, takesKey: true });
  const id = await findEvent(get, String(values.id));
  const [{ data: event }, answer] = await Promise.all([
    get<{ data: Event }>(`/v1/events/${id}`),
    get<{ data: Explanation }>(`/v1/events/${id}/explanation`),
  ]);
  if (context.asJson) {
    const json = { success: true, data: { event, explanation: answer.data } };
    await io.out(`${JSON.stringify(json, null, 2)}\n`);
    return;
  }
  await io.out(
    explainText({ event, explanation: answer.data, ...(await findNames(get, event, answer.data)) }),
  );
}

async function findEvent(get: Get, id: string): Promise<string> {
  if (!id.startsWith('rwd_')) return encodeURIComponent(id);
  const { eventId } = await get<{ eventId: string }>(`/v1/rewards/${encodeURIComponent(id)}`);
  return eventId;
}

/** What ids are called. One that the credential may not read, or that is gone, stays an id. */
async function findNames(
  get: Get,
  event: Event,
  { candidates, rules }: Explanation,
): Promise<{ names: Map<string, string>; terms: Map<string, Terms> }> {
  const names = new Map<string, string>();
  const terms = new Map<string, Terms>();
  const look = async <A>(path: string, take: (data: A) => void) => {
    try {
      take((await get<{ data: A }>(path)).data);
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode === EXIT.unreachable) throw error;
    }
  };
  const people = new Set([event.participantId, ...candidates.map(({ referrer }) => referrer)]);
  const programs = new Set(candidates.map(({ programId }) => programId));
  await Promise.all([
    ...[...people].map((id) =>
      look<{ participant: Named & { externalId: string | null } }>(
        `/v1/participants/${id}`,
        ({ participant: { externalId, name } }) => {
          names.set(id, [externalId ?? id, ...(name === null ? [] : [`(${name})`])].join(' '));
        },
      ),
    ),
    ...[...new Set(rules.map(({ ruleId }) => ruleId))].map((ruleId) =>
      look<(Terms & { programId: string })[]>(`/v1/benefit-rules/${ruleId}/terms`, (versions) => {
        for (const version of versions) {
          terms.set(version.id, version);
          programs.add(version.programId);
        }
      }),
    ),
  ]);
  await Promise.all(
    [...programs].flatMap((id) => [
      look<Named>(`/v1/programs/${id}`, ({ name }) => void names.set(id, `“${name}”`)),
      look<(Named & { id: string })[]>(`/v1/programs/${id}/benefit-rules`, (all) => {
        for (const rule of all) names.set(rule.id, `“${rule.name}”`);
      }),
    ]),
  );
  return { names, terms };
}

interface Named {
  readonly name: string | null;
}
