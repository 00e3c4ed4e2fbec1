import { searchKeysOf } from '../../../domain/participants/search-keys.ts';
import { type Difference, difference } from '../findings.ts';
import type { SearchedPerson } from '../stores/search-key-store.ts';

/** Who a participant stands for; undefined if nobody is known, as of a Partner who was erased. */
export type Searched = { readonly name: string | null; readonly email: string | null } | undefined;

/**
 * What is wrong with the keys of a participant. Keys are counted and not shown: they contain names and addresses.
 */
export function judgeSearchKeys(person: SearchedPerson, searched: Searched): Difference[] {
  const { id, partnerId, isErased, keys, areOfPartner, areMixed } = person;
  const expected = new Set(isErased || !searched ? [] : searchKeysOf(searched));
  const wrong = keys.filter((key) => !expected.has(key)).length;
  const missing = [...expected].filter((key) => !keys.includes(key)).length;
  const found: Difference[] = [];
  if (wrong + missing > 0) {
    const stored = `${keys.length} keys, ${wrong} of them wrong`;
    const others = isErased
      ? 'none, because it is erased'
      : `${expected.size} keys of its name and address`;
    found.push(difference(['participant', id], 'search_keys', stored, others));
  }
  const isPartner = partnerId !== null;
  if (keys.length > 0 && (areMixed || areOfPartner !== isPartner)) {
    found.push(
      difference(
        ['participant', id],
        'search_keys.of_partner',
        areMixed ? 'mixed' : areOfPartner,
        isPartner,
      ),
    );
  }
  return found;
}
