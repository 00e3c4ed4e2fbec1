import { type AnswerDeps, answerOnce } from '../../platform/feed/writer/kept-answers.ts';
import { Success, success } from '../../platform/http/routes/answers.ts';
import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { DRY_RUN_ROWS_MAX, type ImportDeps, importRows } from './import-rows.ts';
import { ImportAnswer, ImportRows } from './schema.ts';

export function importRoutes(deps: ImportDeps & AnswerDeps): Route[] {
  return [
    projectRoute({
      method: 'POST',
      path: '/v1/imports/rows',
      tag: 'Imports',
      summary: 'Import participants, codes and referrals, up to 500 rows at a time',
      description: `Each row is an ImportRow. It has an \`externalId\` and optionally \`kind\`, \`name\`, \`email\` and \`billingId\` as in \`PUT /v1/participants\`; \`code\` and \`slug\` to share in the Program; \`referredByExternalId\` or \`referredByCode\` for the referrer, and \`referredAt\`; \`startingMeasures\` for what the participant had brought before, which tiers and milestones of all time begin with. A row is imported completely or not at all, fails alone, and sees the effects of earlier rows. Repeating rows changes nothing. An imported account is not a signup: its referral is bound by a \`custom_import\` Event at the time of the import, which earns nothing. Later purchases earn by the usual rules. A referrer who has no code in the Program gets one. With \`dryRun\`, for up to ${DRY_RUN_ROWS_MAX} rows, nothing is written, and the response shows what the import would do. Include the rows that other rows depend on.`,
      permissions: ['participants:write', 'referrals:write', 'track:write'],
      bodyBytesMax: 2_097_152,
      body: ImportRows,
      anyText: ['rows'],
      answer: Success(ImportAnswer),
      refusals: [
        { code: 'NOT_FOUND', when: 'the Program does not exist' },
        {
          code: 'INVALID_REQUEST',
          when: 'the Program is not a referral Program, or there are too many rows for a dry run',
        },
        {
          code: 'CONFLICT',
          reason: 'limit_reached',
          when: 'the rows contain referrals, and the Project already has 50 sources but none for imports',
        },
        { code: 'CONFLICT', reason: 'source_disabled', when: 'the source for imports is disabled' },
      ],
      example: {
        body: {
          programId: 'prg_01ka3m…',
          dryRun: false,
          rows: [
            {
              externalId: '42',
              name: 'Ada',
              code: 'ada-friends',
              startingMeasures: { referrals: '12' },
            },
            { externalId: '43', referredByCode: 'ada-friends' },
          ],
        },
        answer: success({
          dryRun: false,
          counts: { created: 2, updated: 0, unchanged: 0, invalid: 0 },
          results: [
            { status: 'created', issues: [], participantId: 'par_01ka3m…', referralId: null },
            {
              status: 'created',
              issues: [],
              participantId: 'par_01ka3n…',
              referralId: 'ref_01ka3m…',
            },
          ],
        }),
      },
      handle: ({ request, body }) => {
        const input = { ...body, dryRun: body.dryRun ?? false };
        const work = async () => success(await importRows(deps, request, input));
        return input.dryRun ? work() : answerOnce(deps, request, work);
      },
    }),
  ];
}
