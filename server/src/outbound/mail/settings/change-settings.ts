import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import { findProgramRow } from '../../../domain/programs/queries.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { findFeedEnd } from '../../../platform/feed/queries.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { invalid, notFound } from '../../../platform/kit/errors.ts';
import type { MailRouteDeps } from '../mail-deps.ts';
import { findUnknownPlaceholder, type OwnTexts } from '../render/mail-texts.ts';
import type {
  ChangeMailSettings,
  ChangeProgramMail,
  MailSettings,
  ProgramMail,
} from '../schema.ts';
import {
  findProgramMail,
  findSettings,
  type ProgramMailRow,
  type SettingsRow,
  upsertProgramMail,
  upsertSettings,
} from './settings-store.ts';
import { switchKinds } from './switch-kinds.ts';

const DEFAULTS: SettingsRow = {
  sender: null,
  language: 'en',
  sandboxMode: 'preview',
  sandboxAddresses: [],
  teamKinds: [],
};

export async function getSettings(
  { mailer }: Pick<MailRouteDeps, 'mailer'>,
  db: Queryable,
  projectId: string,
): Promise<MailSettings> {
  const row = (await findSettings(db, projectId)) ?? DEFAULTS;
  return {
    projectId,
    ...row,
    sandboxAddresses: [...row.sandboxAddresses],
    teamKinds: [...row.teamKinds],
    canSend: mailer !== null,
  };
}

/** Omitted fields keep their values; null resets them. Facts from before the first call are not mailed. */
export function changeSettings(
  deps: MailRouteDeps,
  request: WriteRequest,
  input: ChangeMailSettings,
): Promise<MailSettings> {
  return deps.writer.run(request, async (write) => {
    const { tx, projectId, realNow: now } = write;
    const row = merge((await findSettings(tx, projectId)) ?? DEFAULTS, input);
    const position = await findFeedEnd(tx, projectId);
    upsertSettings(tx, projectId, row, { position, now });
    recordAudit(write, request, {
      action: 'mail_settings.change',
      targetType: 'project',
      targetId: projectId,
      changes: toChanges(input),
    });
    return { answer: await getSettings(deps, tx, projectId) };
  });
}

/** Without the addresses of people, who can be erased while the audit log stays. */
function toChanges({ sandboxAddresses, ...input }: ChangeMailSettings): Record<string, unknown> {
  if (sandboxAddresses === undefined) return input;
  return { ...input, sandboxAddresses: sandboxAddresses?.length ?? 0 };
}

function merge(known: SettingsRow, input: ChangeMailSettings): SettingsRow {
  const { sender, language, sandboxMode, sandboxAddresses, teamKinds } = input;
  const pick = <T>(given: T | null | undefined, kept: T, reset: T): T =>
    given === undefined ? kept : (given ?? reset);
  return {
    sender: pick(
      sender && { ...sender, replyTo: sender.replyTo ?? null },
      known.sender,
      DEFAULTS.sender,
    ),
    language: pick(language, known.language, DEFAULTS.language),
    sandboxMode: pick(sandboxMode, known.sandboxMode, DEFAULTS.sandboxMode),
    sandboxAddresses: pick(sandboxAddresses, known.sandboxAddresses, []),
    teamKinds: pick(teamKinds, known.teamKinds, []),
  };
}

/** Fails with NOT_FOUND. */
export async function getProgramMail(
  db: Queryable,
  projectId: string,
  programId: string,
): Promise<ProgramMail> {
  const { switchedOn: _, ...row } = await loadProgramMail(db, projectId, programId);
  return { projectId, ...row, kinds: [...row.kinds], texts: row.texts as ProgramMail['texts'] };
}

async function loadProgramMail(
  db: Queryable,
  projectId: string,
  programId: string,
): Promise<ProgramMailRow> {
  const known = await findProgramMail(db, projectId, programId);
  if (known) return known;
  if (!(await findProgramRow(db, projectId, programId))) throw notFound('program');
  return { programId, language: null, kinds: [], texts: {}, switchedOn: {} };
}

/** Fails with NOT_FOUND, or INVALID_REQUEST for an unknown placeholder. */
export function changeProgramMail(
  deps: MailRouteDeps,
  request: WriteRequest,
  programId: string,
  input: ChangeProgramMail,
): Promise<ProgramMail> {
  return deps.writer.run(request, async (write) => {
    const { tx, projectId } = write;
    const known = await loadProgramMail(tx, projectId, programId);
    const kinds = input.kinds === undefined ? known.kinds : (input.kinds ?? []);
    const row: ProgramMailRow = {
      programId,
      language: input.language === undefined ? known.language : input.language,
      kinds,
      switchedOn: switchKinds(known.switchedOn, kinds, write.now),
      texts: input.texts === undefined ? known.texts : ((input.texts ?? {}) as OwnTexts),
    };
    checkTexts(row.texts);
    await follow(write, tx);
    upsertProgramMail(tx, projectId, row, write.realNow);
    recordAudit(write, request, {
      action: 'program_mail.change',
      targetType: 'program',
      targetId: programId,
      changes: { ...input },
    });
    return { answer: await getProgramMail(tx, projectId, programId) };
  });
}

/** The feed is followed from the first setting on, whichever it is. */
async function follow({ projectId, realNow: now }: ProjectWrite, tx: Tx): Promise<void> {
  if (await findSettings(tx, projectId)) return;
  upsertSettings(tx, projectId, DEFAULTS, { position: await findFeedEnd(tx, projectId), now });
}

function checkTexts(texts: OwnTexts): void {
  for (const [language, kinds] of Object.entries(texts)) {
    for (const [kind, fields] of Object.entries(kinds)) {
      for (const [field, text] of Object.entries(fields)) {
        const unknown = findUnknownPlaceholder(
          kind as Parameters<typeof findUnknownPlaceholder>[0],
          text,
        );
        if (unknown === undefined) continue;
        throw invalid(
          `texts.${language}.${kind}.${field}`,
          `contains the unknown placeholder {${unknown}}`,
        );
      }
    }
  }
}
