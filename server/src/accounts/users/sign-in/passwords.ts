import { hash, verify } from '@node-rs/argon2';

export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 256;

export interface PasswordCost {
  /** In KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
}

/** OWASP's first recommendation for argon2id. */
const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };

export function hashPassword(password: string, cost: PasswordCost = COST): Promise<string> {
  return hash(normalize(password), { algorithm: 2, parallelism: 1, ...cost });
}

export async function verifyPassword(hashed: string, password: string): Promise<boolean> {
  return verify(hashed, normalize(password)).catch(() => false);
}

/** The same letters are the same password, however they are encoded. */
function normalize(password: string): string {
  return password.normalize('NFKC');
}

/** The most common passwords, without prefixes and suffixes. */
const COMMON = new Set([
  'password',
  'passwort',
  'motdepasse',
  'passphrase',
  'letmein',
  'welcome',
  'administrator',
  'changeme',
  'qwerty',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'qazwsxedc',
  'iloveyou',
  'trustno',
  'goodword',
  'correcthorsebatterystaple',
]);

/** What is wrong with a new password, as the end of a sentence; null if it is accepted. */
export function judgePassword(password: string, email: string | null): string | null {
  const length = [...password].length;
  if (length < PASSWORD_LENGTH_MIN) return `must have at least ${PASSWORD_LENGTH_MIN} characters`;
  if (length > PASSWORD_LENGTH_MAX) return `must have at most ${PASSWORD_LENGTH_MAX} characters`;
  const plain = normalize(password).toLowerCase();
  if (email !== null && plain.includes(email.toLowerCase())) {
    return 'must not be the e-mail address';
  }
  if (isTrivial(plain)) return 'is too common; choose another one';
  return null;
}

function isTrivial(plain: string): boolean {
  if (new Set(plain).size < 4) return true;
  if (isRun(plain)) return true;
  const core = plain.replaceAll(/^[^a-z]+|[^a-z]+$/g, '');
  return [plain, core, readable(core)].some((text) => {
    const word = text.replaceAll(/[^a-z]/g, '');
    return COMMON.has(word) || isRepeat(word);
  });
}

/** With digits and signs replaced by the letters they look like. */
function readable(text: string): string {
  return text
    .replaceAll('0', 'o')
    .replaceAll(/[1!]/g, 'i')
    .replaceAll('3', 'e')
    .replaceAll(/[4@]/g, 'a')
    .replaceAll(/[5$]/g, 's');
}

/** Such as 123456789012, abcdefghijkl or their reverse. */
function isRun(text: string): boolean {
  const steps = new Set(
    [...text].slice(1).map((letter, index) => {
      const step = letter.charCodeAt(0) - text.charCodeAt(index);
      return step === -9 ? 1 : step === 9 ? -1 : step;
    }),
  );
  return steps.size === 1 && Math.abs([...steps][0] as number) <= 1;
}

/** A common word repeated. */
function isRepeat(word: string): boolean {
  return [...COMMON].some(
    (common) => word.length > common.length && word.replaceAll(common, '') === '',
  );
}
