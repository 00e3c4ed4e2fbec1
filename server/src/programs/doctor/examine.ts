import type { Environment } from '../../platform/config/config.ts';
import { checkDatabase } from './check-database.ts';
import { checkFolder } from './check-folder.ts';
import { checkBaseUrl, checkMail } from './check-network.ts';
import { checkSettings } from './check-settings.ts';
import type { ClockReading, Finding } from './finding.ts';

/**
 * What only the service's own code can find out about an installation, in the order of printing.
 */
export interface Examination {
  /** Printed before the findings from the running service. */
  readonly installation: readonly (Finding | ClockReading)[];
  /** Printed after them: external services. */
  readonly network: readonly Finding[];
}

export async function examine(env: Environment): Promise<Examination> {
  const { config, findings } = checkSettings(env);
  if (config === null) return { installation: findings, network: [] };
  return {
    installation: [...findings, ...(await checkFolder(config)), ...(await checkDatabase(config))],
    network: [...(await checkBaseUrl(config)), ...(await checkMail(config))],
  };
}
