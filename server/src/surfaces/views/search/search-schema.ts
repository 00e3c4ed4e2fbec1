import Type, { type Static } from 'typebox';
import { Nullable, OneOf, Text } from '../../../platform/kit/schema.ts';

const FOUND_TYPES = [
  'participant',
  'referral_code',
  'referral_link',
  'referral',
  'event',
  'reward',
  'program',
  'payout',
  'payout_batch',
  'partner_application',
  'webhook_endpoint',
] as const;

export const SearchQuery = Type.Object({
  q: Text(
    1,
    512,
    'An id of this service, your own id of a participant, a billing id, a code, a slug, or a source’s id of an Event (including `signup:<participantId>`). Surrounding white space is ignored.',
  ),
});

export const Found = Type.Object(
  {
    type: OneOf(FOUND_TYPES),
    id: Type.String(),
    label: Type.String({ description: 'The name of the result.' }),
    detail: Nullable(
      Type.String({ description: 'Additional text to distinguish it from similar results.' }),
    ),
    participantId: Nullable(Type.String({ description: 'The participant it belongs to.' })),
  },
  { title: 'Found' },
);
export type Found = Static<typeof Found>;
