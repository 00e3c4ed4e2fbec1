import Type, { type Static, type TSchema } from 'typebox';
import { cursorQuery } from '../../platform/http/routes/paging.ts';
import {
  Closed,
  EmailText,
  IdOf,
  IdText,
  InstantIn,
  InstantOut,
  LineText,
  Nullable,
  OneOf,
  Opt,
  StoredEmailText,
  Text,
} from '../../platform/kit/schema.ts';
import { BOUNCE_KINDS } from './bounces/decide-bounce.ts';
import { SKIP_REASONS, SKIPPED_MAX } from './follow/decide-reminders.ts';
import {
  LANGUAGES,
  MAIL_KINDS,
  MAIL_REASONS,
  MAIL_STATES,
  PERSON_KINDS,
  TEAM_KINDS,
} from './kinds.ts';

const SANDBOX_MODES = ['preview', 'marked', 'listed'] as const;
const ADDRESSES_MAX = 100;
const REMINDED_MAX = 500;
const SUBJECT_MAX = 200;
const BODY_MAX = 4_000;

const senderFields = {
  name: LineText(80, 'The name that mail programs show.'),
  address: EmailText('The address that mails come from. Your SMTP server must accept it.'),
};

export const MailSettings = Type.Object(
  {
    projectId: Type.String(),
    sender: Nullable(
      Type.Object(
        { ...senderFields, replyTo: Nullable(Type.String()) },
        { description: 'Null: nothing is mailed to participants.' },
      ),
    ),
    language: OneOf(LANGUAGES, { description: 'Used by Programs without a language.' }),
    sandboxMode: OneOf(SANDBOX_MODES, {
      description:
        'For a sandbox Project: `preview` sends nothing, `marked` sends with a marked subject, `listed` does so to `sandboxAddresses` only. Mails that are not sent have the state `preview`.',
    }),
    sandboxAddresses: Type.Array(Type.String()),
    teamKinds: Type.Array(OneOf(TEAM_KINDS), { description: 'What the team is mailed about.' }),
    canSend: Type.Boolean({ description: 'Whether the installation has an SMTP server.' }),
  },
  { title: 'MailSettings' },
);
export type MailSettings = Static<typeof MailSettings>;

export const ChangeMailSettings = Closed({
  sender: Opt(
    Closed({ ...senderFields, replyTo: Opt(EmailText('Where answers go, if elsewhere.')) }),
  ),
  language: Opt(OneOf(LANGUAGES)),
  sandboxMode: Opt(OneOf(SANDBOX_MODES)),
  sandboxAddresses: Opt(
    Type.Array(EmailText('An address that a sandbox Project may mail.'), {
      maxItems: ADDRESSES_MAX,
    }),
  ),
  teamKinds: Opt(Type.Array(OneOf(TEAM_KINDS), { uniqueItems: true, maxItems: TEAM_KINDS.length })),
});
export type ChangeMailSettings = Static<typeof ChangeMailSettings>;

function eachOf<const N extends string, S extends TSchema>(
  names: readonly N[],
  schema: S,
): Record<N, S> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<N, S>;
}

const KindText = Closed(
  {
    subject: Text(1, SUBJECT_MAX, 'The subject and the heading.'),
    body: Text(1, BODY_MAX, 'Paragraphs, separated by empty lines.'),
  },
  { title: 'MailText' },
);
const KindTexts = Closed(eachOf(PERSON_KINDS, Type.Optional(KindText)), { title: 'MailTexts' });
const Texts = Closed(eachOf(LANGUAGES, Type.Optional(KindTexts)), {
  description:
    'Texts by language and kind. Others have the default text. Placeholders: `{program}`, `{product}`, for rewards `{reward}`, and for `reward_earned` `{availability}`.',
});

export const ProgramMail = Type.Object(
  {
    projectId: Type.String(),
    programId: Type.String(),
    language: Nullable(OneOf(LANGUAGES, { description: 'Null for the language of the Project.' })),
    kinds: Type.Array(OneOf(PERSON_KINDS), { description: 'What is mailed. Nothing by default.' }),
    texts: Texts,
  },
  { title: 'ProgramMail' },
);
export type ProgramMail = Static<typeof ProgramMail>;

export const ChangeProgramMail = Closed({
  language: Opt(OneOf(LANGUAGES)),
  kinds: Opt(Type.Array(OneOf(PERSON_KINDS), { uniqueItems: true, maxItems: PERSON_KINDS.length })),
  texts: Opt(Texts),
});
export type ChangeProgramMail = Static<typeof ChangeProgramMail>;

export const PreviewMail = Closed({
  kind: OneOf(PERSON_KINDS),
  language: Opt(OneOf(LANGUAGES)),
  text: Opt(KindText),
});
export type PreviewMail = Static<typeof PreviewMail>;

export const MailPreview = Type.Object(
  {
    subject: Type.String(),
    text: Type.String(),
    html: Type.String(),
    template: Type.Object(
      { subject: Type.String(), body: Type.String() },
      { description: 'The text with its placeholders.' },
    ),
    placeholders: Type.Array(Type.String()),
  },
  { title: 'MailPreview' },
);
export type MailPreview = Static<typeof MailPreview>;

export const TestMailAnswer = Type.Object({ sentTo: Type.String() }, { title: 'MailTest' });

export const Mail = Type.Object(
  {
    id: Type.String(),
    kind: OneOf(MAIL_KINDS),
    recipientId: Type.String({ description: 'A participant, or a user for mails to the team.' }),
    programId: Nullable(Type.String()),
    factId: Type.String({ description: 'What the mail is about, such as a Reward.' }),
    state: OneOf(MAIL_STATES, {
      description:
        '`sent`: the SMTP server accepted it. `unknown`: the connection or the process ended before the answer; it is not sent again. `bounced`: the recipient was refused for good. `suppressed`: the recipient unsubscribed or was refused before. `dropped`: there is no sender or no address that can be mailed, or the kind was switched off. `preview`: the sandbox sends nothing.',
    }),
    reason: Nullable(OneOf(MAIL_REASONS, { description: 'Why it is in this state.' })),
    tries: Type.Integer(),
    nextTryAt: Nullable(InstantOut),
    createdAt: InstantOut,
    sentAt: Nullable(InstantOut),
    projectTime: InstantOut,
    bounce: Nullable(
      Type.Object(
        {
          kind: OneOf(BOUNCE_KINDS),
          at: InstantOut,
          diagnostic: Nullable(Type.String({ description: 'What the receiving server said.' })),
        },
        { description: 'What the mail provider reported after it had accepted the mail.' },
      ),
    ),
  },
  { title: 'Mail' },
);

export const ListMails = Type.Object({
  ...cursorQuery,
  recipientId: Type.Optional(IdOf('recipient', 'Only mails to this participant or user.')),
  state: Type.Optional(OneOf(MAIL_STATES)),
});

export const RemindPayees = Closed({
  participantIds: Opt(
    Type.Array(IdText(), {
      minItems: 1,
      maxItems: REMINDED_MAX,
      uniqueItems: true,
      description: 'Default: everybody who has earned cash and has no payout details.',
    }),
  ),
  dryRun: Opt(Type.Boolean({ description: 'Show who would be reminded, and mail nobody.' })),
});
export type RemindPayees = Static<typeof RemindPayees>;

const SkippedReason = OneOf(SKIP_REASONS, {
  description:
    '`not_waiting`: has no cash to be paid out, or has payout details. `reminded_lately`: was mailed about it within the last seven days. `no_address`: has no e-mail address. `unusable_address`: no mail can be sent to the address. `unsubscribed`: wants no such mails. `bounced_before`: the address was refused for good.',
});

export const Reminders = Type.Object(
  {
    reminded: Type.Array(Type.String(), { description: 'Participants who get a mail.' }),
    skipped: Type.Array(Type.Object({ participantId: Type.String(), reason: SkippedReason }), {
      maxItems: SKIPPED_MAX,
      description: `Who gets no mail, and why: the first ${SKIPPED_MAX} of them.`,
    }),
    skippedCount: Type.Integer({ description: 'How many get no mail, with those not listed.' }),
    skippedReasons: Type.Array(Type.Object({ reason: SkippedReason, count: Type.Integer() }), {
      description: 'How many get no mail for which reason.',
    }),
    isMore: Type.Boolean({ description: 'Whether there are more people: repeat the call.' }),
  },
  { title: 'Reminders' },
);
export type Reminders = Static<typeof Reminders>;

const MESSAGE_ID_MAX = 300;
const DIAGNOSTIC_MAX = 500;

export const ReportBounce = Closed({
  messageId: Opt(
    Text(1, MESSAGE_ID_MAX, 'The `Message-ID` of the mail, with or without angle brackets.'),
  ),
  email: Opt(
    StoredEmailText(
      'The address that refuses mails, if the `Message-ID` is not known. Only for `hard`.',
    ),
  ),
  kind: OneOf(BOUNCE_KINDS, {
    description:
      '`hard`: the address does not exist; nothing more is sent to it. `soft`: this mail could not be delivered.',
  }),
  occurredAt: Opt(InstantIn),
  diagnostic: Opt(
    Text(1, DIAGNOSTIC_MAX, 'What the receiving server said. Addresses in it are removed.'),
  ),
});
export type ReportBounce = Static<typeof ReportBounce>;

export const BounceReport = Type.Object(
  {
    mailId: Nullable(Type.String({ description: 'Null if only an address was reported.' })),
    recipientCount: Type.Integer({
      description: 'How many participants, partners and members of the team it is about.',
    }),
    isNew: Type.Boolean({ description: 'False if it was known already.' }),
  },
  { title: 'BounceReport' },
);
export type BounceReport = Static<typeof BounceReport>;
