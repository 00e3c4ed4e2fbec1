import { Success, success } from '../../platform/http/routes/answers.ts';
import { CursorList, pageOf, toCursorPage } from '../../platform/http/routes/paging.ts';
import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { reportBounce } from './bounces/report-bounce.ts';
import { remindPayees } from './follow/remind-payees.ts';
import type { MailRouteDeps } from './mail-deps.ts';
import {
  BounceReport,
  ChangeMailSettings,
  ChangeProgramMail,
  ListMails,
  Mail,
  MailPreview,
  MailSettings,
  PreviewMail,
  ProgramMail,
  Reminders,
  RemindPayees,
  ReportBounce,
  TestMailAnswer,
} from './schema.ts';
import { listMails } from './send/mail-store.ts';
import {
  changeProgramMail,
  changeSettings,
  getProgramMail,
  getSettings,
} from './settings/change-settings.ts';
import { previewMail, sendTest } from './settings/preview-mail.ts';

const TAG = 'Mail';
const PROJECT_PATH = '/v1/projects/{projectId}/mail-settings';
const PROGRAM_PATH = '/v1/programs/{programId}/mail-settings';
const at = '2026-11-15T09:30:00.000Z';
const sender = { name: 'Acme', address: 'rewards@example.com', replyTo: null };
const settingsExample = success({
  projectId: 'prj_01ka3m…',
  sender,
  language: 'en',
  sandboxMode: 'preview',
  sandboxAddresses: [],
  teamKinds: ['partner_application_received'],
  canSend: true,
});
const ownText = { subject: 'You earned {reward}', body: 'Thank you for recommending {product}!' };
const programExample = success({
  projectId: 'prj_01ka3m…',
  programId: 'prg_01ka3m…',
  language: null,
  kinds: ['friend_joined', 'reward_earned'],
  texts: { en: { reward_earned: ownText } },
});
const noProgram = { code: 'NOT_FOUND', when: 'the Program does not exist' } as const;
const badText = {
  code: 'INVALID_REQUEST',
  when: 'a text contains a placeholder that its kind does not have',
} as const;
const notSetUp = {
  code: 'CONFLICT',
  reason: 'mail_not_set_up',
  when: 'the installation has no SMTP server, or the Project has no sender',
} as const;

export function mailRoutes(deps: MailRouteDeps): Route[] {
  return [...settingsRoutes(deps), ...programRoutes(deps), ...outboxRoutes(deps)];
}

function settingsRoutes(deps: MailRouteDeps): Route[] {
  return [
    projectRoute({
      method: 'GET',
      path: PROJECT_PATH,
      tag: TAG,
      summary: 'Read the sender of a Project’s mails',
      permissions: ['programs:read'],
      answer: Success(MailSettings),
      example: { answer: settingsExample },
      handle: async ({ project }) =>
        success(await getSettings(deps, deps.database.reads, project.id)),
    }),
    projectRoute({
      method: 'PUT',
      path: PROJECT_PATH,
      tag: TAG,
      summary: 'Set the sender of a Project’s mails',
      description:
        'Nothing is mailed to participants without a sender. Facts from before the first call are not mailed. Omitted fields keep their values; null resets a field.',
      permissions: ['programs:write'],
      body: ChangeMailSettings,
      answer: Success(MailSettings),
      example: { body: { sender: { ...sender, replyTo: null } }, answer: settingsExample },
      handle: async ({ request, body }) => success(await changeSettings(deps, request, body)),
    }),
  ];
}

function programRoutes(deps: MailRouteDeps): Route[] {
  const { reads } = deps.database;
  return [
    projectRoute({
      method: 'GET',
      path: PROGRAM_PATH,
      tag: TAG,
      summary: 'Read what a Program mails',
      permissions: ['programs:read'],
      answer: Success(ProgramMail),
      refusals: [noProgram],
      example: { answer: programExample },
      handle: async ({ project, params }) =>
        success(await getProgramMail(reads, project.id, params.programId as string)),
    }),
    projectRoute({
      method: 'PUT',
      path: PROGRAM_PATH,
      tag: TAG,
      summary: 'Set what a Program mails, and its texts',
      description:
        '`kinds` lists what is mailed; `texts` replaces all texts of the Program. Omitted fields keep their values; null resets a field.',
      permissions: ['programs:write'],
      body: ChangeProgramMail,
      answer: Success(ProgramMail),
      refusals: [noProgram, badText],
      example: {
        body: {
          kinds: ['friend_joined', 'reward_earned'],
          texts: { en: { reward_earned: ownText } },
        },
        answer: programExample,
      },
      handle: async ({ request, params, body }) =>
        success(await changeProgramMail(deps, request, params.programId as string, body)),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/programs/{programId}/mail-previews',
      tag: TAG,
      summary: 'Preview a mail of a Program',
      description:
        'The mail is about an invented person and reward. `text` replaces the saved text. Nothing is saved or sent.',
      permissions: ['programs:read'],
      keepsAnswer: false,
      body: PreviewMail,
      answer: Success(MailPreview),
      refusals: [noProgram, badText],
      example: {
        body: { kind: 'reward_earned', language: 'en' },
        answer: success({
          subject: 'You earned €25.00',
          text: 'Hello Ada,\n\n…',
          html: '<!doctype html>…',
          template: ownText,
          placeholders: ['program', 'product', 'reward', 'availability'],
        }),
      },
      handle: async ({ project, params, body }) =>
        success(await previewMail(deps, project.id, params.programId as string, body)),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/programs/{programId}/mail-tests',
      tag: TAG,
      summary: 'Mail an example to yourself',
      description: 'Sends the preview to the address of the signed-in user.',
      permissions: ['programs:write'],
      keepsAnswer: false,
      body: PreviewMail,
      answer: Success(TestMailAnswer),
      refusals: [
        noProgram,
        badText,
        notSetUp,
        { code: 'CONFLICT', reason: 'sign_in_first', when: 'the caller is not a signed-in user' },
        { code: 'SERVICE_UNAVAILABLE', when: 'the SMTP server did not accept the mail' },
      ],
      example: {
        body: { kind: 'reward_earned' },
        answer: success({ sentTo: 'grace@example.com' }),
      },
      handle: async ({ project, principal, params, body }) =>
        success(
          await sendTest(deps, project, principal, {
            ...body,
            programId: params.programId as string,
          }),
        ),
    }),
  ];
}

function outboxRoutes(deps: MailRouteDeps): Route[] {
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/mails',
      tag: TAG,
      summary: 'List mails, newest first',
      description:
        'Mails of the last 90 days, with their states. Neither addresses nor texts are stored. `projectTime` is when the mail was caused by the Project’s clock: it differs from `createdAt` in a sandbox whose clock was set. A mail must match all filters.',
      permissions: ['participants:read'],
      query: ListMails,
      answer: CursorList(Mail),
      example: {
        answer: {
          success: true,
          data: [
            {
              id: 'mail_01ka3m…',
              kind: 'reward_earned',
              recipientId: 'par_01ka3m…',
              programId: 'prg_01ka3m…',
              factId: 'rwd_01ka3m…',
              state: 'sent',
              reason: null,
              tries: 1,
              nextTryAt: null,
              createdAt: at,
              sentAt: at,
              projectTime: at,
              bounce: null,
            },
          ],
          nextCursor: null,
        },
      },
      handle: async ({ project, query }) => {
        const page = toCursorPage(query, 'mail');
        const filter = { recipientId: query.recipientId ?? null, state: query.state ?? null };
        const rows = await listMails(deps.database.reads, project.id, filter, page);
        return pageOf(rows, page, (row) => ({ ...row }));
      },
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/mails/bounces',
      tag: TAG,
      summary: 'Report a bounce',
      description:
        'For bounces that your mail provider reports after it has accepted a mail. A hard bounce stops mails to the address until the recipient has another one. Name the mail by its `Message-ID`, or for a hard bounce the address. If both are given, the `Message-ID` counts. A repeat changes nothing.',
      permissions: ['participants:write'],
      body: ReportBounce,
      answer: Success(BounceReport),
      refusals: [
        {
          code: 'INVALID_REQUEST',
          when: 'there is neither a `messageId` nor an `email`, a soft bounce has no `messageId`, or `occurredAt` is in the future',
        },
        { code: 'NOT_FOUND', when: 'no mail has this `messageId`, or nobody has this address' },
        {
          code: 'CONFLICT',
          reason: 'mail_not_sent',
          when: 'the mail was never handed to the SMTP server',
        },
      ],
      example: {
        body: {
          messageId: '<mail_01ka3m…@refer.example.com>',
          kind: 'hard',
          diagnostic: '550 5.1.1 unknown user',
        },
        answer: success({ mailId: 'mail_01ka3m…', recipientCount: 1, isNew: true }),
      },
      handle: async ({ project, request, body }) =>
        success(await reportBounce(deps, project, request, body)),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/payouts/reminders',
      tag: 'Payouts',
      summary: 'Remind people to add their payout details',
      description:
        'Mails participants who have earned cash and have no payout details, each at most once in seven days. `skipped` says who gets nothing, and why: at most 100 of them, with the number of all in `skippedCount`. A repeat reminds nobody again. With `dryRun` nobody is mailed.',
      permissions: ['payouts:write'],
      body: RemindPayees,
      answer: Success(Reminders),
      refusals: [notSetUp],
      example: {
        body: { participantIds: ['par_01ka3m…'] },
        answer: success({
          reminded: ['par_01ka3m…'],
          skipped: [{ participantId: 'par_01ka3n…', reason: 'no_address' }],
          skippedCount: 1,
          skippedReasons: [{ reason: 'no_address', count: 1 }],
          isMore: false,
        }),
      },
      handle: async ({ project, request, body }) =>
        success(await remindPayees(deps, project, request, body)),
    }),
  ];
}
