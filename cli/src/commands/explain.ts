import { findNames as findParticipantNames } from '../calls/find-names.ts';
import { CliError, EXIT } from '../cli-error.ts';
import { type Context, findProject } from '../context.ts';
import { describeParty } from '../output/add-names.ts';
import type { Values } from '../output/values.ts';
import { type Event, type Explanation, explainText, type Terms } from './explain-text.ts';

/** The client and the parameters of every request. */
interface Source {
  readonly client: Context['client'];
  readonly about: { readonly query: { readonly projectId: string }; readonly takesKey: true };
}

/** Prints why an event was credited, and what it earned; for a reward, its event's explanation. */
export async function runExplain(context: Context, values: Values): Promise<undefined> {
  const { client, io } = context;
  const projectId = await findProject(context, values);
  const source: Source = { client, about: { query: { projectId }, takesKey: true } };
  const path = { id: await findEvent(source, String(values.id)) };
  const [{ data: event }, { data: explanation }] = await Promise.all([
    client.call({ operation: 'GET /v1/events/{id}', path, ...source.about }),
    client.call({ operation: 'GET /v1/events/{id}/explanation', path, ...source.about }),
  ]);
  if (context.asJson) {
    const json = { success: true, data: { event, explanation } };
    await io.out(`${JSON.stringify(json, null, 2)}\n`);
    return;
  }
  await io.out(
    explainText({ event, explanation, ...(await findNames(source, event, explanation)) }),
  );
}

async function findEvent({ client, about }: Source, id: string): Promise<string> {
  if (!id.startsWith('rwd_')) return id;
  const operation = 'GET /v1/rewards/{rewardId}';
  const { eventId } = await client.call({ operation, path: { rewardId: id }, ...about });
  return eventId;
}

/** The names of ids. An id that the credential may not read, or that is gone, stays an id. */
async function findNames(
  { client, about }: Source,
  event: Event,
  { candidates, rules }: Explanation,
): Promise<{ names: Map<string, string>; terms: Map<string, Terms> }> {
  const names = new Map<string, string>();
  const terms = new Map<string, Terms>();
  const look = async <A>(asked: Promise<{ data: A }>, take: (data: A) => void) => {
    try {
      take((await asked).data);
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode === EXIT.unreachable) throw error;
    }
  };
  const people = [event.participantId, ...candidates.map(({ referrer }) => referrer)].map(
    (participantId) => ({ participantId }),
  );
  const programs = new Set(candidates.map(({ programId }) => programId));
  await Promise.all([
    findParticipantNames({ client }, about.query.projectId, people).then((found) => {
      for (const [id, person] of found) names.set(id, describeParty({ ...person }));
    }),
    ...[...new Set(rules.map(({ ruleId }) => ruleId))].map((ruleId) =>
      look(
        client.call({
          operation: 'GET /v1/benefit-rules/{ruleId}/terms',
          path: { ruleId },
          ...about,
        }),
        (versions) => {
          for (const version of versions) {
            terms.set(version.id, version);
            programs.add(version.programId);
          }
        },
      ),
    ),
  ]);
  await Promise.all(
    [...programs].flatMap((programId) => {
      const path = { programId };
      return [
        look(
          client.call({ operation: 'GET /v1/programs/{programId}', path, ...about }),
          ({ name }) => void names.set(programId, `“${name}”`),
        ),
        look(
          client.call({ operation: 'GET /v1/programs/{programId}/benefit-rules', path, ...about }),
          (all) => {
            for (const rule of all) names.set(rule.id, `“${rule.name}”`);
          },
        ),
      ];
    }),
  );
  return { names, terms };
}
