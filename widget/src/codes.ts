/**
 * Countries and currencies of accounts that the service accepts: ISO 3166-1 with Kosovo, and ISO
 * 4217. Grouped by first letter from A to Z, which is omitted.
 */
const COUNTRIES =
  'DEFGILMOQRSTUWXZ ABDEFGHIJLMNOQRSTVWYZ ACDFGHIKLMNORUVWXYZ EJKMOZ CEGHRST IJKMOR ABDEFGH' +
  'ILMNPQRSTUWY KMNRTU DELMNOQRST EMOP EGHIMNPRWYZ ABCIKRSTUVY ACDEFGHKLMNOPQRSTUVWXYZ ACEF' +
  'GILOPRUZ M AEFGHKLMNRSTWY A EOSUW ABCDEGHIJKLMNORSTVXYZ CDFGHJKLMNORTVWZ AGMSYZ ACEGINU ' +
  'FS K ET AMW';
const CURRENCIES =
  'EDFNLLMDOARSUDWGZN AMBDDTHDIFMDNDOBOVRLSDTNWPYNZD ADDFHEHFHWLFLPNYOPOURCUPVEZK JFKKOPZD ' +
  'GPRNTBUR JDKP BPELHSIPMDNFTQYD KDNLTGUF DRLSNRQDRRSK MDODPY ESGSHRMFPWRWWDYDZT AKBPKRRDS' +
  'LYD ADDLGAKDMKNTOPRUURVRWKXNXVYRZN ADGNIOOKPRZD MR ABENGKHPKRLNYG AR ONSDUBWF ARBDCRDGEK' +
  'GDHPLEOSRDSPTNVCYPZL HBJSMTNDOPRYTDWDZS AHGXSDSNYIYUYWZS EDESNDUV ST ADAFCDCGOFPF ER ARM' +
  'WWG';

export interface Choice {
  readonly code: string;
  readonly name: string;
}

export const listCountries = (locale: string) => list(COUNTRIES, 1, 'region', locale);
export const listCurrencies = (locale: string) => list(CURRENCIES, 2, 'currency', locale);

function list(
  rests: string,
  length: number,
  type: 'region' | 'currency',
  locale: string,
): readonly Choice[] {
  const names = new Intl.DisplayNames(locale, { type });
  const { compare } = new Intl.Collator(locale);
  const choices: Choice[] = [];
  let letter = 65;
  for (let at = 0; at < rests.length; ) {
    if (rests[at] === ' ') {
      letter += 1;
      at += 1;
      continue;
    }
    const code = String.fromCharCode(letter) + rests.slice(at, at + length);
    at += length;
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
