import type { Config } from '../../platform/config/config.ts';
import { type Finding, ok, warning, whyOf } from './finding.ts';

const TIMEOUT_MS = 10_000;

/** Checks that links lead to the service. */
export async function checkBaseUrl({ baseUrl }: Config): Promise<Finding[]> {
  if (baseUrl === null) return [];
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const why = await fetch(`${baseUrl}/healthz`, { redirect: 'manual', signal }).then(
    (answer) => (answer.status === 200 ? null : `HTTP ${answer.status}`),
    whyOf,
  );
  if (why === null) return [ok('BASE_URL', `${baseUrl} leads to the service`)];
  return [
    warning(
      'BASE_URL',
      `${baseUrl} cannot be reached from this machine (${why})`,
      'Check that its name resolves, and that the proxy forwards requests to the service.',
    ),
  ];
}

/** Checks the mail server: connects and signs in, but sends nothing. */
export async function checkMail({ smtpUrl }: Config): Promise<Finding[]> {
  if (smtpUrl === null) return [];
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtpUrl,
    dnsTimeout: TIMEOUT_MS,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  try {
    await transport.verify();
    return [ok('mail', 'the SMTP server answers')];
  } catch (error) {
    return [
      warning(
        'mail',
        `The SMTP server of SMTP_URL does not accept mail (${whyOf(error)})`,
        'Check that it is running, and that the name and password in SMTP_URL are right.',
      ),
    ];
  } finally {
    transport.close();
  }
}
