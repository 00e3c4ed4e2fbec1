import type { Tx } from '../../../platform/db/database.ts';
import { findRow, listRows, sendWrite } from '../../../platform/db/statements.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { Language, PersonKind, TeamKind } from '../kinds.ts';
import type { OwnTexts } from '../render/mail-texts.ts';
import type { SwitchedOn } from './switch-kinds.ts';

export interface Sender {
  readonly name: string;
  readonly address: string;
  readonly replyTo: string | null;
}

type SandboxMode = 'preview' | 'marked' | 'listed';

export interface SettingsRow {
  readonly sender: Sender | null;
  readonly language: Language;
  readonly sandboxMode: SandboxMode;
  readonly sandboxAddresses: readonly string[];
  readonly teamKinds: readonly TeamKind[];
}

export interface ProgramMailRow {
  readonly programId: string;
  readonly language: Language | null;
  readonly kinds: readonly PersonKind[];
  readonly texts: OwnTexts;
  /** Since when its kinds are on, by the Project's clock. */
  readonly switchedOn: SwitchedOn;
}

const SETTINGS = `sender, language, sandbox_mode as "sandboxMode",
  sandbox_addresses as "sandboxAddresses", team_kinds as "teamKinds"`;

export const findSettings = findRow<SettingsRow, [projectId: string]>(
  `select ${SETTINGS} from mail_settings where project_id = $1`,
);

/** The feed is followed from `position` if the Project had no settings yet. */
export function upsertSettings(
  tx: Tx,
  projectId: string,
  row: SettingsRow,
  { position, now }: { readonly position: number; readonly now: Instant },
): void {
  tx.send(
    `insert into mail_settings (project_id, sender, language, sandbox_mode, sandbox_addresses,
       team_kinds, position, created_at, updated_at)
     values ($1, $2::jsonb, $3, $4, $5::text[], $6::text[], $7, $8, $8)
     on conflict (project_id) do update set sender = excluded.sender, language = excluded.language,
       sandbox_mode = excluded.sandbox_mode, sandbox_addresses = excluded.sandbox_addresses,
       team_kinds = excluded.team_kinds, updated_at = excluded.updated_at`,
    [
      projectId,
      row.sender === null ? null : JSON.stringify(row.sender),
      row.language,
      row.sandboxMode,
      row.sandboxAddresses,
      row.teamKinds,
      position,
      now,
    ],
  );
}

const PROGRAM = `program_id as "programId", language, kinds, texts,
  switched_on as "switchedOn"`;

export const findProgramMail = findRow<ProgramMailRow, [projectId: string, programId: string]>(
  `select ${PROGRAM} from mail_programs where project_id = $1 and program_id = $2`,
);

export const listProgramMail = listRows<ProgramMailRow, [projectId: string]>(
  `select ${PROGRAM} from mail_programs where project_id = $1`,
);

export function upsertProgramMail(
  tx: Tx,
  projectId: string,
  row: ProgramMailRow,
  now: Instant,
): void {
  saveProgramMail(
    tx,
    projectId,
    row.programId,
    row.language,
    row.kinds,
    JSON.stringify(row.texts),
    now,
    JSON.stringify(row.switchedOn),
  );
}

const saveProgramMail = sendWrite<
  [string, string, Language | null, readonly PersonKind[], string, Instant, string]
>(`insert into mail_programs (project_id, program_id, language, kinds, texts, updated_at,
     switched_on)
   values ($1, $2, $3, $4::text[], $5::jsonb, $6, $7::jsonb)
   on conflict (project_id, program_id) do update set language = excluded.language,
     kinds = excluded.kinds, texts = excluded.texts, updated_at = excluded.updated_at,
     switched_on = excluded.switched_on`);
