import type { WorldSpec } from './operations.ts';

/** What the service is given as the id of a person: it stands nowhere in a hash by chance. */
export const externalIdOf = (person: number) => `p${person}zqxv`;

/** Codes are as personal as the names in them. */
export const codeOf = (person: number, program: number) =>
  `code-${externalIdOf(person)}-g${program}`;

export const slugOf = (person: number, program: number) =>
  `link-${externalIdOf(person)}-g${program}`;

/** It stays when its owner is erased, and so names nobody. */
export const subscriptionOf = (person: number, subscription: number) =>
  `sub-${person}-${subscription}`;

/** Where somebody gets mails. */
export const addressOf = (person: number) => `${externalIdOf(person)}@example.com`;

/** Of somebody at Stripe. */
export const customerOf = (person: number) => `cus_${externalIdOf(person)}`;

/** Of a person, in the model. */
export const nameOf = (person: number) => `p${person}`;

type Parties = Pick<WorldSpec, 'people' | 'groups' | 'partners'>;

/** People come first, then groups: so each of them has a number. */
export const partiesOf = ({ people, groups = 0 }: Parties) => people + groups;

/** With the partners, whom no call of the backend names. */
export const everybodyOf = (spec: Parties) => partiesOf(spec) + (spec.partners ?? 0);

export const kindOf = ({ people }: Parties, number: number) =>
  number < people ? 'individual' : 'group';

/** As a call names them. */
export const participantOf = (spec: Parties, number: number) => ({
  kind: kindOf(spec, number),
  externalId: externalIdOf(number),
});

/** The code or the slug by which somebody refers. */
export const sharedName = ({
  referrer,
  program,
  via,
}: {
  readonly referrer: number;
  readonly program: number;
  readonly via: 'code' | 'link';
}) => (via === 'code' ? codeOf(referrer, program) : slugOf(referrer, program));
