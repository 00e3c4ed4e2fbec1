import type { Row } from '../api/client.ts';
import { isErased, isPartner, personDetail, personLabel } from '../ui/person.ts';
import { humanize } from '../ui/words.ts';

type Found = Pick<Row<'/v1/search'>, 'type' | 'id' | 'detail' | 'participant'>;

/** The second line of a search result: of a person their id, of anything else what it is and whose. */
export function describeFound({ type, id, detail, participant }: Found): string | undefined {
  if (type === 'participant' && participant) {
    const isOne = isPartner(participant) && !isErased(participant, id);
    const parts = [personDetail(participant, id), isOne ? 'Partner' : null];
    return parts.filter(Boolean).join(' · ') || undefined;
  }
  const owner = participant && personLabel(participant, participant.participantId);
  const what = owner ? `${humanize(type)} of ${owner}` : humanize(type);
  // A detail is a state or an id.
  const state = detail && /^[a-z_]+$/.test(detail) ? humanize(detail) : detail;
  return [what, state].filter(Boolean).join(' · ');
}
