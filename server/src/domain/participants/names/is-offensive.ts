/** Digits that can be read as letters. The alphabet of codes has no i, l, o, 0 and 1. */
const READ_AS: Readonly<Record<string, string>> = {
  2: 'z',
  3: 'e',
  4: 'a',
  5: 's',
  6: 'g',
  7: 't',
  8: 'b',
  9: 'g',
};

export const OFFENSIVE_WORDS = [
  'anus',
  'arse',
  'ass',
  'cum',
  'cunt',
  'damn',
  'fag',
  'fap',
  'fuc',
  'fuk',
  'gay',
  'hate',
  'jew',
  'kkk',
  'kys',
  'nazy',
  'neger',
  'nude',
  'perv',
  'puta',
  'pute',
  'rape',
  'scum',
  'sex',
  'spaz',
  'suck',
  'tard',
  'terd',
  'turd',
  'twat',
  'wank',
  'xxx',
] as const;

/** Whether a random code spells an offensive word, also with digits read as letters. */
export function isOffensive(code: string): boolean {
  const read = code.replace(/[2-9]/g, (digit) => READ_AS[digit] ?? digit);
  return OFFENSIVE_WORDS.some((word) => code.includes(word) || read.includes(word));
}
