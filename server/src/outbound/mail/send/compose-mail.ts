import { findTeamMember } from '../../../accounts/users/queries.ts';
import { findProject } from '../../../accounts/workspaces/queries.ts';
import type { Project } from '../../../accounts/workspaces/schema.ts';
import { findParticipant } from '../../../domain/participants/queries.ts';
import { findPartner } from '../../../domain/partners/queries.ts';
import type { ProgramConfig } from '../../../domain/programs/program-config.ts';
import { findProgram } from '../../../domain/programs/queries.ts';
import { toInstant } from '../../../platform/kit/instant.ts';
import { isTeamKind, type Language } from '../kinds.ts';
import type { MailDeps } from '../mail-deps.ts';
import { type MailBrand, type RenderedMail, renderMail } from '../render/render-mail.ts';
import { renderTeamMail } from '../render/team-mail.ts';
import {
  findProgramMail,
  findSettings,
  type Sender,
  type SettingsRow,
} from '../settings/settings-store.ts';
import {
  makeUnsubscribeToken,
  toUnsubscribeUrl,
  withLanguage,
} from '../unsubscribe/unsubscribe-token.ts';
import type { MailRow } from './mail-store.ts';

/** A mail with everything that its sending depends on, as of now. */
export interface ComposedMail extends RenderedMail {
  /** Null if the recipient has none, was erased or has left. */
  readonly address: string | null;
  readonly isSwitchedOn: boolean;
  readonly settings: SettingsRow;
  readonly project: Project;
  /** Null for the installation's own. */
  readonly sender: Sender | null;
  readonly unsubscribeUrl: string;
}

const SANDBOX_MARK = '[Sandbox] ';

/** Reads the recipient, the settings and the texts anew: a mail never has an address or a text from earlier. */
export async function composeMail(
  deps: MailDeps,
  projectId: string,
  mail: Omit<MailRow, 'tries' | 'id'>,
): Promise<ComposedMail | null> {
  const { reads } = deps.database;
  const [project, settings] = await Promise.all([
    findProject(reads, projectId),
    findSettings(reads, projectId),
  ]);
  if (!project || !settings) return null;
  const { recipientId, kind } = mail;
  const token = makeUnsubscribeToken(deps.keyring, { projectId, recipientId, kind });
  const unsubscribeUrl = toUnsubscribeUrl(deps.baseUrl, token);
  const mark = project.environment === 'sandbox' ? { mark: SANDBOX_MARK } : {};
  const common = { project, settings, sender: settings.sender, unsubscribeUrl };
  const written = isTeamKind(kind)
    ? await writeToMember(deps, mail, { ...common, mark })
    : await writeToPerson(deps, mail, { ...common, mark });
  return written && { ...common, ...written };
}

interface Common {
  readonly project: Project;
  readonly settings: SettingsRow;
  readonly unsubscribeUrl: string;
  readonly mark: { readonly mark?: string };
}
type Written = Pick<ComposedMail, 'subject' | 'text' | 'html' | 'address' | 'isSwitchedOn'>;

async function writeToMember(
  deps: MailDeps,
  { kind, recipientId, data }: Omit<MailRow, 'tries' | 'id'>,
  { project, settings, unsubscribeUrl, mark }: Common,
): Promise<Written | null> {
  if (!isTeamKind(kind)) return null;
  const member = await findTeamMember(deps.database.reads, project.workspaceId, recipientId);
  const rendered = renderTeamMail({
    kind,
    projectId: project.id,
    projectName: project.name,
    name: member?.name ?? '',
    about: data.about ?? project.name,
    baseUrl: deps.baseUrl,
    unsubscribeUrl,
    ...mark,
  });
  const isSwitchedOn = settings.teamKinds.includes(kind);
  return { ...rendered, address: member?.email ?? null, isSwitchedOn };
}

async function writeToPerson(
  deps: MailDeps,
  mail: Omit<MailRow, 'tries' | 'id'>,
  { project, settings, unsubscribeUrl, mark }: Common,
): Promise<Written | null> {
  const { reads } = deps.database;
  const { kind, recipientId, programId, data } = mail;
  if (isTeamKind(kind) || programId === null) return null;
  const now = toInstant(deps.clock.nowMs());
  const [program, own, person] = await Promise.all([
    findProgram(reads, project.id, programId, now),
    findProgramMail(reads, project.id, programId),
    findPerson(deps, project.id, recipientId),
  ]);
  if (!program) return null;
  const brand = toBrand(program.name, program.config);
  const language: Language = own?.language ?? settings.language;
  const rendered = renderMail({
    kind,
    language,
    brand: person.isPartner ? { ...brand, pageUrl: `${deps.baseUrl}/partner` } : brand,
    name: person.name,
    data,
    ownTexts: own?.texts ?? {},
    unsubscribeUrl: withLanguage(unsubscribeUrl, language),
    ...mark,
  });
  // An operator asks for details, whatever is on.
  const isByOperator = kind === 'payout_details_missing' && !data.isAutomatic;
  const isSwitchedOn = isByOperator || (own?.kinds.includes(kind) ?? false);
  return { ...rendered, address: person.address, isSwitchedOn };
}

interface Person {
  readonly address: string | null;
  readonly name: string | null;
  readonly isPartner: boolean;
}

async function findPerson(
  { database: { reads } }: MailDeps,
  projectId: string,
  participantId: string,
): Promise<Person> {
  const participant = await findParticipant(reads, projectId, participantId);
  const nobody = { address: null, name: null, isPartner: false };
  if (!participant || participant.deletedAt !== null) return nobody;
  const { email, name, partnerId } = participant;
  if (partnerId === null) return { address: email, name, isPartner: false };
  const partner = await findPartner(reads, partnerId);
  const address = partner?.status === 'active' ? (partner.email ?? null) : null;
  return { address, name: partner?.name ?? null, isPartner: true };
}

export function toBrand(programName: string, config: ProgramConfig): MailBrand {
  const { brandConfig, widgetConfig } = config;
  return {
    programName,
    productName: widgetConfig.productName || programName,
    logoUrl: widgetConfig.logoUrl || null,
    colour: brandConfig.primaryColor,
    pageUrl: brandConfig.landingPageUrl || null,
  };
}
