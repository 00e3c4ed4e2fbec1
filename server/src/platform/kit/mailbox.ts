import { domainToASCII, domainToUnicode } from 'node:url';

/** An address that a mail can be sent to. */
export interface Mailbox {
  /** What the SMTP server is given: the address, with its domain in lower case and in the form that the server reads. */
  readonly recipient: string;
  /** Whether the server must support SMTPUTF8, because letters outside ASCII are before the @. */
  readonly needsUtf8: boolean;
}

const ADDRESS_BYTES_MAX = 254;
const LOCAL_BYTES_MAX = 64;

const LOCAL =
  /^[\w!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+)*$/u;
/** Characters that are not shown, such as fillers and selectors of variants. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const MARK_FIRST = /(?:^|\.)\p{M}/u;
const ASCII = /^[\x21-\x7e]*$/;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** At least two labels. The last one has a letter: addresses of machines are no host names. */
const HOST = new RegExp(`^(?:${LABEL}\\.)+(?=[a-z0-9-]*[a-z])${LABEL}$`);

/**
 * Reads an address as SMTP does: a dot-atom, one @, and a host name with a dot. Null if a mail to it could reach
 * somebody else, or nobody: quotes, spaces, brackets, commas, a second @, characters that are not shown.
 */
export function readMailbox(address: string): Mailbox | null {
  const [local = '', domain = '', ...more] = address.split('@');
  if (more.length > 0 || !isLocalPart(local)) return null;
  const host = readHost(domain);
  if (host === null) return null;
  const needsUtf8 = !ASCII.test(local);
  const recipient = `${local}@${needsUtf8 ? domainToUnicode(host) : host}`;
  return Buffer.byteLength(recipient) <= ADDRESS_BYTES_MAX ? { recipient, needsUtf8 } : null;
}

function isLocalPart(local: string): boolean {
  return (
    LOCAL.test(local) &&
    !INVISIBLE.test(local) &&
    !MARK_FIRST.test(local) &&
    local === local.normalize('NFC') &&
    Buffer.byteLength(local) <= LOCAL_BYTES_MAX
  );
}

/** The ASCII form of a host name; null unless it stands for exactly this text, in upper or lower case. */
function readHost(domain: string): string | null {
  const lower = domain.toLowerCase().normalize('NFC');
  // The parser would cut an address off at some characters, and decode others.
  if (!/^[a-z0-9.\u0080-\u{10ffff}-]+$/u.test(lower)) return null;
  const host = domainToASCII(lower);
  if (!HOST.test(host)) return null;
  return lower === host || lower === domainToUnicode(host) ? host : null;
}

/** An address as it is, and with its domain in the ASCII form and in the readable form: providers report either. */
export function listForms(address: string): string[] {
  const at = address.lastIndexOf('@');
  const host = readHost(address.slice(at + 1));
  if (host === null) return [address];
  const local = address.slice(0, at + 1);
  return [...new Set([address, local + host, local + domainToUnicode(host)])];
}

/** Whether two texts are one address. Mailboxes differ by case nowhere in practice. */
export function isSameAddress(one: string, other: string): boolean {
  const forms = listForms(one).map((form) => form.toLowerCase());
  return listForms(other).some((form) => forms.includes(form.toLowerCase()));
}
