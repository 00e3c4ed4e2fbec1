import type { Draw } from './draw.ts';

const FIRST = readNames(`
ada adam agnes ali alina amara amir anna anton aylin bea bella ben bruno carla chen clara cyrus dana david dora
edgar elena eli emma erik esra eva fatima felix fiona frank gina grace greta hana hans henry hugo ida igor ines iris
ivan jana jonas jorge judith jules karin karl kaya kenji klara lara lea leo lin lisa luca lucia magda malik marc maria
mei mia mila milo nadia nils nina noah nora oleg olga oscar pablo paula petra pia quinn rafael rania rita robin rosa
ruth sam sara selim sofia stella sven tara theo tom uma ute vera victor walter wei xenia yara yusuf zara zoe`);
const LAST = readNames(`
abbott aydin baker bauer becker bell berg bianchi blanc brandt brown brun castro chan clark cohen conti cruz dahl
diaz dubois dunn egger evans ferrari fischer flores fuchs garcia gomez graf gruber haas hahn hall hansen huber ito
ivanov jansen jones kang keller khan kim klein koch kovacs kumar lang larsen lehmann leone li lopez lutz marino martin
meyer mills moreau morgan muller nagy nguyen novak nowak oconnor okafor olsen ortiz park patel perez peters popov quist
ramos reed reyes ricci roth rossi russo santos sato schmidt schulz scott silva simon singh smith sommer stone suzuki
tanaka thomas torres tran ueda vega vogel wagner walsh wang weber winter wolf wong wright wu xu yang yilmaz young zhang
ziegler`);
const FREE_MAIL = ['gmail.com', 'gmail.com', 'outlook.com', 'icloud.com', 'web.de'] as const;
/** Forwarding services that give everybody an address of their own: honest people use them. */
const RELAYS = ['privaterelay.appleid.com', 'duck.com', 'mozmail.com'] as const;
/** Some of the best known, which any list has. */
const DISPOSABLE = [
  'mailinator.com',
  'guerrillamail.com',
  'yopmail.com',
  '10minutemail.com',
] as const;
function readNames(text: string): [string, ...string[]] {
  const [first = '', ...others] = text.trim().split(/\s+/);
  return [first, ...others];
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

export interface PersonName {
  readonly first: string;
  readonly last: string;
}

export const drawName = (draw: Draw): PersonName => ({
  first: draw.pick(FIRST),
  last: draw.pick(LAST),
});

/** Letters that mean nothing. */
export function drawLetters(draw: Draw, length: number): string {
  return Array.from({ length }, () => LETTERS[draw.whole(0, LETTERS.length - 1)]).join('');
}

/** An address as most people have one. */
export function drawEmail(draw: Draw, { first, last }: PersonName = drawName(draw)): string {
  if (draw.chance(4)) return `${drawLetters(draw, 10)}@${draw.pick(RELAYS)}`;
  if (draw.chance(0.3)) return `${first}${draw.whole(1, 99)}@${draw.pick(DISPOSABLE)}`;
  // Some providers number their users.
  if (draw.chance(2)) return `${draw.whole(10_000_000, 999_999_999)}@qq.com`;
  const domain = draw.chance(15) ? `${last}-${drawLetters(draw, 3)}.com` : draw.pick(FREE_MAIL);
  const local = draw.pick([
    `${first}.${last}`,
    `${first}${last}${draw.whole(1, 99)}`,
    `${first[0]}.${last}`,
    `${first}_${last}`,
    `${first}${draw.whole(1950, 2010)}`,
    `${last}.${first}${draw.whole(1, 9)}`,
  ]);
  return `${local}@${domain}`;
}

export const workEmail = ({ first, last }: PersonName, domain: string) =>
  `${first}.${last}@${domain}`;

export const disposableEmail = (draw: Draw) => `${drawLetters(draw, 8)}@${draw.pick(DISPOSABLE)}`;

/** The same mailbox once more. */
export function aliasOf(draw: Draw, email: string, number: number): string {
  const [local = '', domain = ''] = email.split('@');
  const isDotted = domain === 'gmail.com' && draw.chance(40) && number < local.length;
  if (isDotted) return `${local.slice(0, number)}.${local.slice(number)}@${domain}`;
  return `${local}+${draw.pick(['shop', 'deal', 'x', 'new'])}${number}@${domain}`;
}

export function numbered(email: string, number: number): string {
  const [local = '', domain = ''] = email.split('@');
  return `${local.replace(/\d+/g, '')}${number}@${domain}`;
}
