import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';

/** The library stores what a server offers in a field that its types do not name. */
interface Offers {
  readonly _supportedExtensions?: readonly string[];
}

/**
 * Asks the SMTP server whether it accepts letters outside ASCII before the @ (RFC 6531). To one that does not, the
 * library would send them all the same. Rejects if the server cannot be asked.
 */
export function offersUtf8(smtpUrl: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const connection = new SMTPConnection({
      ...parseConnectionUrl(smtpUrl),
      dnsTimeout: 10_000,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
    });
    const abort = () => connection.close();
    signal.addEventListener('abort', abort, { once: true });
    connection.on('error', reject);
    connection.once('end', () => reject(new Error('The SMTP server hung up.')));
    connection.connect((error) => {
      if (error) return reject(error);
      const { _supportedExtensions: offers = [] } = connection as Offers;
      resolve(offers.includes('SMTPUTF8'));
      connection.quit();
    });
  });
}
