import Type, { type TObject } from 'typebox';
import type { Permission } from '../../../platform/http/access/permissions.ts';
import { assertStorable } from '../../../platform/http/routes/parse-json.ts';
import type { Route } from '../../../platform/http/routes/route.ts';
import { type Check, compileCheck } from '../../../platform/http/routes/validate.ts';
import { Closed, ProjectIdText } from '../../../platform/kit/schema.ts';
import type { ListedTool, ObjectSchema } from '../protocol/make-server.ts';
import { type Connection, findProjectId } from '../protocol/projects.ts';
import type { CallRoute, Json } from './call-route.ts';
import { changeTools } from './change-tools.ts';
import { compoundTools } from './compound-tools.ts';
import { LIST_PROJECTS, runListProjects } from './list-projects.ts';
import { readTools } from './read-tools.ts';
import { type ConfirmationDesk, makeFindRoute, type Tool } from './tool.ts';

/** What a call of a tool runs with. */
export interface ToolContext extends Connection {
  readonly call: CallRoute;
  readonly confirmation: ConfirmationDesk;
}

interface KeptTool {
  readonly permissions: readonly Permission[];
  readonly listed: ListedTool;
  readonly check: Check;
  run(args: Json, context: ToolContext): Promise<Json>;
}

/** All tools, made once from the routes. */
export class ToolBox {
  readonly #tools: ReadonlyMap<string, KeptTool>;

  constructor(routes: readonly Route[]) {
    const find = makeFindRoute(routes);
    const all = [...compoundTools(find), ...readTools(find), ...changeTools(find)];
    const tools = [keepListProjects(), ...all.map(keep)];
    this.#tools = new Map(tools.map((tool) => [tool.listed.name, tool]));
  }

  /** Those that the key may use. */
  list(may: (permission: Permission) => boolean): ListedTool[] {
    return [...this.#tools.values()]
      .filter(({ permissions }) => permissions.every(may))
      .map(({ listed }) => listed);
  }

  /** Undefined for an unknown tool, and for one that the key may not use. */
  call(name: string, args: Json, context: ToolContext): Promise<Json> | undefined {
    const tool = this.#tools.get(name);
    const may = (permission: Permission) => context.key.permissions.includes(permission);
    if (!tool?.permissions.every(may)) return undefined;
    return checked(tool, args, context);
  }
}

async function checked(tool: KeptTool, given: Json, context: ToolContext): Promise<Json> {
  const args = withoutNulls(given, tool.listed.inputSchema.properties);
  assertStorable(args);
  tool.check(args);
  return tool.run(args, context);
}

/** Many agents send null for what they leave out. */
function withoutNulls(given: Json, known: Readonly<Record<string, object>>): Json {
  const isLeftOut = (name: string, value: unknown) => value === null && Object.hasOwn(known, name);
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => !isLeftOut(name, value)),
  );
}

function keep(tool: Tool): KeptTool {
  const projectId = Type.Optional({
    ...ProjectIdText,
    description:
      'The project, prj_…. It can be left out if the key has only one, or if the connection names one.',
  });
  const schema = Closed({ ...tool.input, projectId });
  return {
    permissions: tool.permissions,
    listed: describe(tool, schema),
    check: compileCheck(schema, 'body'),
    async run({ projectId: named, ...args }, context) {
      const { call, confirmation } = context;
      const found = await findProjectId(context, named);
      return tool.run({ args, projectId: found, call, confirmation });
    },
  };
}

function keepListProjects(): KeptTool {
  const schema = Closed(LIST_PROJECTS.input);
  return {
    permissions: LIST_PROJECTS.permissions,
    listed: describe(LIST_PROJECTS, schema),
    check: compileCheck(schema, 'body'),
    run: (args, context) => runListProjects(context, args),
  };
}

function describe(tool: Omit<Tool, 'run'>, input: TObject): ListedTool {
  const { name, title, description, change } = tool;
  return {
    name,
    title,
    description,
    inputSchema: toPlain(input),
    annotations: {
      readOnlyHint: change === null,
      destructiveHint: change?.isGrave ?? false,
      // A confirmed change happens once, however often it is repeated.
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

/** As JSON Schema, without what only our checks read. */
function toPlain(schema: TObject): ObjectSchema {
  return JSON.parse(JSON.stringify(schema));
}
