import { ACCEPTED_MINOR_PATTERN, POSITIVE_MINOR_PATTERN } from '../../kit/money.ts';
import { EMAIL } from '../../kit/schema.ts';

const MINOR = 'must be a whole number of the smallest unit (cents), as text';

/** The patterns of the schemas in words, because few people read regular expressions. */
const WORDS: Readonly<Record<string, string>> = {
  '\\S': 'must not be blank',
  [EMAIL]: 'must be an e-mail address, such as ada@example.com',
  '^[^\\s@]+@[^\\s@]+$': 'must be an e-mail address, such as ada@example.com',
  '^[A-Za-z0-9][A-Za-z0-9-]{1,30}[A-Za-z0-9]$':
    'must have 3 to 32 letters (a–z), digits or hyphens, and no hyphen at either end',
  '^[A-Za-z0-9][A-Za-z0-9-]{1,48}[A-Za-z0-9]$':
    'must have 3 to 50 letters (a–z), digits or hyphens, and no hyphen at either end',
  '^[a-z][a-z0-9_]{0,63}$':
    'must have at most 64 lower-case letters, digits or underscores, and begin with a letter',
  '^[a-z0-9_-]{1,64}$': 'must have 1 to 64 lower-case letters, digits, underscores or hyphens',
  '^(signup|purchase|custom_[A-Za-z0-9_.:-]{1,57})$':
    'must be signup, purchase, or custom_ and 1 to 57 letters (a–z), digits or any of _ . : -',
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}$': 'must be a day, such as 2026-11-15',
  '^[A-Za-z]{2}$': 'must be a country code of two letters, such as DE',
  '^[A-Za-z]{3}$': 'must be a currency code of three letters, such as USD',
  '^(0|[1-9][0-9]{0,17})$': `${MINOR}, such as "1050"`,
  [ACCEPTED_MINOR_PATTERN]: `${MINOR} of at most 15 digits, such as "1050"`,
  [POSITIVE_MINOR_PATTERN]: `${MINOR} of at most 15 digits, above zero, such as "1050"`,
  '^(0|-?[1-9][0-9]*)$': `${MINOR}, such as "1050" or "-1050"`,
  '^-?[1-9][0-9]{0,17}$': `${MINOR}, not zero, such as "1050" or "-1050"`,
  '^(0|[1-9][0-9]*)$': 'must be the nextOffset of the previous page',
  '^(0|[1-9][0-9]{0,8})$': 'must be the nextOffset of the previous page',
  '^[!-~]+$': 'must have only letters (a–z), digits and signs, without spaces',
  '^[1-9][0-9]{0,18}$': 'must be a number of at most 19 digits',
  '^rk_(test|live)_[A-Za-z0-9]{8,240}$':
    'must be a restricted key of Stripe, which begins with rk_test_ or rk_live_',
  '^whsec_[A-Za-z0-9+/=_-]{8,240}$': 'must be a signing secret of Stripe, which begins with whsec_',
  '^#[0-9A-Fa-f]{6}$': 'must be a colour, such as #1F5F4A',
  '^(?![\\s\\S]*([uU][rR][lL]|[sS][rR][cC]|[iI][mM][aA][gG][eE]|[sS][eE][tT])\\()[^;{}<>\\\\@]*$':
    'must be a plain CSS value: no url(), src(), image() or set(), and none of ; { } < > \\ @',
};

export const describePattern = (pattern: string): string =>
  WORDS[pattern] ?? 'must have the form that the API reference gives for it';
