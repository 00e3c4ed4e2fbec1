/**
 * Countries and currencies of accounts that the service accepts: ISO 3166-1 with Kosovo, and ISO
 * 4217. In a file of its own, `codes.json`, which is loaded with the payout details.
 */
export interface Codes {
  readonly countries: readonly string[];
  readonly currencies: readonly string[];
}

export interface Choice {
  readonly code: string;
  readonly name: string;
}

/** By name, in the order of the language. */
export function listChoices(
  codes: readonly string[],
  type: 'region' | 'currency',
  locale: string,
): readonly Choice[] {
  const names = new Intl.DisplayNames(locale, { type });
  const { compare } = new Intl.Collator(locale);
  const choices: Choice[] = [];
  for (const code of codes) {
    const choice = { code, name: names.of(code) ?? code };
    // Without `sort`, which the page may have patched.
    let place = 0;
    for (let end = choices.length; place < end; ) {
      const middle = (place + end) >> 1;
      if (compare(choices[middle]?.name ?? '', choice.name) > 0) end = middle;
      else place = middle + 1;
    }
    for (let n = choices.length; n > place; n -= 1) choices[n] = choices[n - 1] as Choice;
    choices[place] = choice;
  }
  return choices;
}
