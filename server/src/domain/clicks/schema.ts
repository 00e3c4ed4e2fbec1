import Type, { type Static } from 'typebox';
import { Closed, InstantOut, Nullable, OneOf, Opt } from '../../platform/kit/schema.ts';

/** Any text from a page's address or cookie: invalid input must not cause an error on that page. */
const Given = (maxLength: number, description: string) =>
  Opt(Type.String({ maxLength, description }));

export const RecordClick = Closed({
  click: Given(
    2_048,
    'The token of the followed link, from `service_click` in the page’s address.',
  ),
  ref: Given(
    2_048,
    'The code or slug, from `ref` in the page’s address. Used when the token is missing or not valid.',
  ),
  handle: Given(2_048, 'The browser’s current handle, from its cookie.'),
  url: Given(8_192, 'The address of the page. Of its query and fragment, only `utm_*` is stored.'),
  referrer: Given(8_192, 'The page the visitor came from. Only its origin is stored.'),
});
export type RecordClick = Static<typeof RecordClick>;

export const ClickAnswer = Type.Object(
  {
    handle: Nullable(Type.String({ description: 'Store it in the cookie `service_handle`.' })),
    expiresAt: Nullable(InstantOut),
    maxAgeSeconds: Nullable(
      Type.Integer({
        description:
          'For `Max-Age` of the cookie: the longest attribution window of the active Programs, 90 to 400 days.',
      }),
    ),
  },
  { title: 'ClickAnswer' },
);
export type ClickAnswer = Static<typeof ClickAnswer>;

const UtmText = Nullable(Type.String());
const Utm = Type.Object({
  source: UtmText,
  medium: UtmText,
  campaign: UtmText,
  term: UtmText,
  content: UtmText,
});
export type Utm = Static<typeof Utm>;

const TOUCH_SOURCES = ['link', 'landing_param', 'ref_code'] as const;

export const Touch = Type.Object(
  {
    id: Type.String(),
    createdAt: InstantOut,
    updatedAt: InstantOut,
    projectId: Type.String(),
    programId: Type.String(),
    handleId: Nullable(Type.String()),
    refCodeId: Type.String(),
    linkId: Nullable(Type.String()),
    referrerParticipantId: Type.String(),
    source: OneOf(TOUCH_SOURCES, {
      description:
        '`link`: a followed link. `landing_param`: a code in a page’s address. `ref_code`: a code sent with a signup.',
    }),
    occurredAt: InstantOut,
    expiresAt: Type.String({
      format: 'date-time',
      description:
        'When the browser’s cookie expires. The attribution policy determines how long the touch counts.',
    }),
    landingUrl: Nullable(Type.String()),
    referrerOrigin: Nullable(Type.String()),
    utm: Utm,
    identifiedParticipantId: Nullable(Type.String()),
    identifiedAt: Nullable(InstantOut),
  },
  { title: 'Touch' },
);
export type Touch = Static<typeof Touch>;
