import type { Sides } from '../../participants/referral-parties.ts';
import type { LedgerView } from '../batch/ledger.ts';
import type { Referral } from '../event-schema.ts';

/** Everyone who is a side of these referrals. */
export function sidesOf(referrals: readonly Referral[]): Sides {
  return {
    referrers: new Set(referrals.map((referral) => referral.referrerParticipantId)),
    referees: new Set(referrals.map((referral) => referral.refereeParticipantId)),
  };
}

/** Those whose rows are not marked yet. New people are omitted: their rows are saved with the mark. */
export function newSidesOf(
  referrals: readonly Referral[],
  { people }: Pick<LedgerView, 'people'>,
  newPeople: readonly { readonly id: string }[],
): Sides {
  const saved = new Set(newPeople.map(({ id }) => id));
  const { referrers, referees } = sidesOf(referrals);
  const lacks = (mark: 'isReferrer' | 'isReferee') => (id: string) =>
    !saved.has(id) && people.get(id)?.[mark] !== true;
  return {
    referrers: new Set([...referrers].filter(lacks('isReferrer'))),
    referees: new Set([...referees].filter(lacks('isReferee'))),
  };
}
