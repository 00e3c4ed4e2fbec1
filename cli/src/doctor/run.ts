import { CliError, EXIT } from '../cli-error.ts';
import type { Context } from '../context.ts';
import type { Values } from '../output/values.ts';
import { checkKey } from './check-key.ts';
import { checkProject } from './check-projects.ts';
import { checkService } from './check-service.ts';
import { describeFindings } from './describe-findings.ts';
import { examineInstallation, findExaminer } from './examine-installation.ts';
import { type Finding, problem } from './finding.ts';
import { listKeys, listProjects } from './lists.ts';

/** Runs all checks that are possible from here. Returns 1 if there is a problem. */
export async function runDoctor(context: Context, values: Values): Promise<number> {
  const [{ installation, network }, ofService] = await Promise.all([
    examineInstallation(findExaminer(), context.env),
    checkService(context.config.baseUrl),
  ]);
  const isUp = ofService.some(({ check, level }) => check === 'service' && level === 'ok');
  const findings: Finding[] = [
    ...installation,
    ...ofService,
    ...network,
    ...(isUp ? await checkContents(context, values) : []),
  ];
  const problems = findings.filter(({ level }) => level === 'problem').length;
  const warnings = findings.filter(({ level }) => level === 'warning').length;
  await context.io.out(
    context.asJson
      ? `${JSON.stringify({ problems, warnings, findings }, null, 2)}\n`
      : describeFindings(findings, context.io.hasColour),
  );
  return problems > 0 ? EXIT.refused : EXIT.done;
}

/** Checks that need the service: the key, and what waits in each project. */
async function checkContents(context: Context, values: Values): Promise<Finding[]> {
  const { client, config } = context;
  try {
    const findings: Finding[] = [];
    if (config.apiKey !== null) {
      findings.push(checkKey(config.apiKey, await listKeys(client), Date.now()));
    }
    const named = values.project ?? config.projectId ?? null;
    for (const id of named === null ? await listProjects(client) : [String(named)]) {
      findings.push(...(await checkProject(client, id)));
    }
    return findings;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const [first = ''] = error.message.split('\n');
    return [problem('operator', first, 'Set ADMIN_TOKEN, or DATA_DIR to the service’s folder.')];
  }
}
