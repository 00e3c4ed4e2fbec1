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
    'An id of this service; or your own id of a participant, its billing id, a code or a slug, a source’s id of an Event, `signup:<participantId>` included. White space around it does not count.',
  ),
});

export const Found = Type.Object(
  {
    type: OneOf(FOUND_TYPES),
    id: Type.String(),
    label: Type.String({ description: 'What it is known by.' }),
    detail: Nullable(Type.String({ description: 'What tells it from others.' })),
    participantId: Nullable(Type.String({ description: 'Whom it is about.' })),
  },
  { title: 'Found' },
);
export type Found = Static<typeof Found>;
