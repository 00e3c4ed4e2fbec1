import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { compareClocks, type Finding, problem, warning } from './finding.ts';

/**
 * What the service's own code finds out about an installation: printed before and after the
 * findings from the running service.
 */
export interface Examination {
  readonly installation: readonly Finding[];
  readonly network: readonly Finding[];
}

/** As the service's program prints it. All clocks are compared here, in the same way. */
interface Printed {
  readonly installation: readonly (Finding | ClockReading)[];
  readonly network: readonly Finding[];
}

interface ClockReading {
  readonly check: string;
  readonly aheadMs: number;
  readonly slackMs: number;
}

const CHECKS = 'settings, data folder, database, root key, BASE_URL and mail';

/**
 * The service's program for this; null if there is none. In a clone, in the image and among
 * installed packages, `server/` is next to the folder of this package, in whose `dist` this is
 * built.
 */
export function findExaminer(from: string = import.meta.url): string | null {
  const program = fileURLToPath(new URL('../../server/dist/doctor.js', from));
  return existsSync(program) ? program : null;
}

/**
 * Runs the service's program with the settings of this one. A failure to run it is a finding as
 * well.
 */
export async function examineInstallation(
  program: string | null,
  env: NodeJS.ProcessEnv,
): Promise<Examination> {
  if (program === null) {
    const skipped = warning(
      'installation',
      `The service is not installed beside this command line: ${CHECKS} were not checked`,
      'Run goodword doctor where the service runs, from its own folder or image.',
    );
    return { installation: [skipped], network: [] };
  }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
    const { installation, network } = JSON.parse(stdout) as Printed;
    return { installation: installation.map(judge), network };
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    const failed = problem(
      'installation',
      `${CHECKS} could not be checked (${code ?? name})`,
      `See what it says: node ${program}`,
    );
    return { installation: [failed], network: [] };
  }
}

const judge = (found: Finding | ClockReading): Finding =>
  'aheadMs' in found ? compareClocks(found.check, found.aheadMs, found.slackMs) : found;
