import { ROLES } from '../http/roles.ts';
import type { Invitation, Member } from '../users/schema.ts';
import { type Command, defineCommand, type Option } from './command.ts';
import { layRecord, layTable } from './layout.ts';
import { limit, required, workspace } from './options.ts';

const role = {
  ...required('<role>', `One of ${ROLES.join(', ')}`),
  check: (value) =>
    (ROLES as readonly string[]).includes(value)
      ? undefined
      : `must be one of ${ROLES.join(', ')}, not "${value}"`,
} as const satisfies Option;

interface Invited {
  readonly data: Invitation;
  readonly link: string;
  readonly mailed: boolean;
}

export const TEAM_COMMANDS: readonly Command[] = [
  defineCommand({
    words: ['team', 'invite'],
    summary: 'Invite somebody to the console, and show the link',
    options: { workspace, email: required('<address>', 'Whom to invite'), role },
    async run(client, values) {
      const answer = await client.post<Invited>('/v1/invitations', {
        workspaceId: values.workspace,
        email: values.email,
        role: values.role,
      });
      const text = layRecord([
        ['Invitation', answer.data.id],
        ['Link', answer.link],
        ['Mailed', answer.mailed ? 'yes' : 'no: pass the link on yourself'],
      ]);
      return {
        json: answer,
        text: `${text}It is shown this once, and works once, for 72 hours.\n`,
      };
    },
  }),
  defineCommand({
    words: ['team', 'list'],
    summary: 'List who is in a workspace',
    options: { workspace, limit },
    async run(client, values) {
      const list = await client.list<Member>(
        '/v1/users',
        { workspaceId: values.workspace },
        Number(values.limit),
      );
      const rows = list.data.map((row) => [
        row.id,
        row.email,
        row.role,
        row.totpEnabled ? 'yes' : 'no',
        row.lastSeenAt ?? 'never',
      ]);
      const titles = ['ID', 'E-MAIL', 'ROLE', 'SECOND FACTOR', 'LAST SEEN'];
      return { json: list, text: layTable(titles, rows, 'There is nobody yet.') };
    },
  }),
];
