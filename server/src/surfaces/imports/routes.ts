import { type AnswerDeps, answerOnce } from '../../platform/feed/writer/answer-once.ts';
import { projectRoute, type Route, Success, success } from '../../platform/http/routes/route.ts';
import { type ImportDeps, importRows, REHEARSED_MAX } from './import-rows.ts';
import { ImportAnswer, ImportRows } from './schema.ts';

export function importRoutes(deps: ImportDeps & AnswerDeps): Route[] {
  return [
    projectRoute({
      method: 'POST',
      path: '/v1/imports/rows',
      tag: 'Imports',
      summary: 'Import participants, codes and referrals, up to 500 rows at a time',
      description: `Each row is an ImportRow: \`externalId\`, and if you have them \`kind\`, \`name\`, \`email\`, \`billingId\` as in \`PUT /v1/participants\`; \`code\` and \`slug\` to share in the Program; \`referredByExternalId\` or \`referredByCode\` for who brought it, and \`referredAt\`. A row is taken whole or not at all, fails alone, and sees what the rows before it left. Repeating rows changes nothing. An imported account is not a signup: its referral is bound by a \`custom_import\` Event now, which earns nothing, while purchases from now on earn by the usual rules. Who is named as a referrer and has no code in the Program gets one. With \`dryRun\`, for up to ${REHEARSED_MAX} rows, nothing is written, and the answer tells what would be: send along the rows that others build on.`,
      permissions: ['participants:write', 'referrals:write', 'track:write'],
      bodyBytesMax: 2_097_152,
      body: ImportRows,
      answer: Success(ImportAnswer),
      refusals: [
        { code: 'NOT_FOUND', when: 'the Program does not exist' },
        {
          code: 'INVALID_REQUEST',
          when: 'the Program is not of kind referral, or there are too many rows for a dry run',
        },
        {
          code: 'CONFLICT',
          reason: 'limit_reached',
          when: 'there are referrals, and the Project has 50 sources already, none for imports',
        },
        { code: 'CONFLICT', reason: 'source_disabled', when: 'the source of imports is disabled' },
      ],
      example: {
        body: {
          programId: 'prg_01ka3m…',
          dryRun: false,
          rows: [
            { externalId: '42', name: 'Ada', code: 'ada-friends' },
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
