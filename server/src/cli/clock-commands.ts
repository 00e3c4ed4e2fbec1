import type { ProjectClock } from '../workspaces/schema.ts';
import { type Command, defineCommand, type Output } from './command.ts';
import { layRecord } from './layout.ts';
import { project, required } from './options.ts';

interface Answer {
  readonly data: ProjectClock;
}

const pathOf = (projectId: string) => `/v1/projects/${encodeURIComponent(projectId)}/clock`;

export const CLOCK_COMMANDS: readonly Command[] = [
  defineCommand({
    words: ['clock', 'show'],
    summary: 'Show what time it is for a project',
    options: { project },
    run: async (client, values) => show(await client.get<Answer>(pathOf(values.project))),
  }),
  defineCommand({
    words: ['clock', 'set'],
    summary: 'Set the clock of a sandbox project forward, to try out what time does',
    options: {
      project,
      now: required('<time>', 'What time it is to be, such as 2027-01-31T00:00:00Z'),
    },
    run: async (client, { project: id, now }) =>
      show(await client.put<Answer>(pathOf(id), { now })),
  }),
];

function show(answer: Answer): Output {
  const { projectId, now, offsetMs } = answer.data;
  const text = layRecord([
    ['Project', projectId],
    ['Now', now],
    ['Ahead by', `${offsetMs} ms`],
  ]);
  return { json: answer, text };
}
