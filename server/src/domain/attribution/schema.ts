import Type, { type Static } from 'typebox';
import {
  Closed,
  InstantIn,
  InstantOut,
  Nullable,
  OneOf,
  Opt,
  Text,
} from '../../platform/kit/schema.ts';
import { ParticipantRef } from '../participants/schema.ts';

const COOKIE = {
  minLength: 1,
  description: 'The value of the cookie `service_handle`, whatever it is.',
};

/** A visitor can write anything into a cookie: a signup refuses only an empty or blank value. */
export const CookieText = Type.String({ ...COOKIE, pattern: '\\S' });

export const Identify = Closed({
  handle: Opt(Type.String(COOKIE)),
  participant: Opt(ParticipantRef),
  reference: Opt(
    Closed(
      {
        key: Text(1, 255, 'Your own name for this visit. Can be used once, for ever.'),
        expiresAt: Opt(InstantIn),
      },
      {
        title: 'IdentifyReference',
        description:
          '`expiresAt` is at most 90 days ahead, 24 hours unless told; it counts only where the key is bound to a handle for the first time.',
      },
    ),
  ),
});
export type Identify = Static<typeof Identify>;

export const IdentifyAnswer = Type.Object(
  {
    success: Type.Literal(true),
    identified: Type.Boolean({ description: 'False as long as only a key stands for the handle.' }),
    participantId: Nullable(Type.String()),
    identifiedAt: Nullable(InstantOut),
    reference: Nullable(
      Type.Object({
        key: Type.String(),
        status: OneOf(['pending', 'resolved']),
        expiresAt: InstantOut,
        resolvedAt: Nullable(InstantOut),
      }),
    ),
  },
  { title: 'Identification' },
);
export type IdentifyAnswer = Static<typeof IdentifyAnswer>;
