import {
  type Config,
  ConfigError,
  type Environment,
  readConfig,
} from '../../platform/config/config.ts';
import { isLoopback } from '../../platform/kit/parse-url.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/**
 * Reads the settings as the service does. `config` is null if the service would not start with
 * them.
 */
export function checkSettings(env: Environment): { config: Config | null; findings: Finding[] } {
  try {
    const config = readConfig(env);
    return { config, findings: [ok('settings', 'are valid'), ...judge(config)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.message
      .split('\n')
      .map((line) => problem('settings', line, 'The service does not start until this is fixed.'));
    return { config: null, findings };
  }
}

function judge(config: Config): Finding[] {
  const findings: Finding[] = [];
  const { baseUrl } = config;
  if (baseUrl !== null && !isLoopback(baseUrl) && !baseUrl.startsWith('https:')) {
    findings.push(
      problem(
        'settings',
        'BASE_URL is not https: keys and cookies would be sent unencrypted',
        'Put a proxy with a certificate in front of the service, and set BASE_URL to its https:// address.',
      ),
    );
  }
  if (baseUrl === null && !['127.0.0.1', 'localhost', '::1'].includes(config.host)) {
    findings.push(
      warning(
        'settings',
        `HOST is ${config.host}, but BASE_URL is not set: links work on this machine only`,
        'Set BASE_URL to the address that others use.',
      ),
    );
  }
  if (!config.requiresTotp) {
    findings.push(
      warning(
        'settings',
        'CONSOLE_TOTP is optional: a password alone opens the console',
        'Remove this setting, except for trials.',
      ),
    );
  }
  if (config.smtpUrl === null) {
    findings.push(
      warning(
        'mail',
        'SMTP_URL is not set: no mail is sent, and links must be passed on by hand',
        'Set SMTP_URL and MAIL_FROM, if you have partners or invite people.',
      ),
    );
  }
  return findings;
}
