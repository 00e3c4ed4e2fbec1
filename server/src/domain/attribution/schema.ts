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
  description: 'The value of the cookie `service_handle`, passed on unchanged.',
};

/** A visitor can write anything into a cookie: a signup refuses only an empty or blank value. */
export const CookieText = Type.String({ ...COOKIE, pattern: '\\S' });

export const Identify = Closed({
  handle: Opt(Type.String(COOKIE)),
  participant: Opt(ParticipantRef),
  reference: Opt(
    Closed(
      {
        key: Text(1, 255, 'Your own key for this visit. Each key can be used only once, ever.'),
        expiresAt: Opt(InstantIn),
      },
      {
        title: 'IdentifyReference',
        description:
          '`expiresAt` is at most 90 days ahead (default 24 hours). It is used only when the key is first bound to a handle.',
      },
    ),
  ),
});
export type Identify = Static<typeof Identify>;

export const IdentifyAnswer = Type.Object(
  {
    success: Type.Literal(true),
    identified: Type.Boolean({
      description: 'False while the handle has only a key and no participant.',
    }),
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
