import { findTeamMember } from '../../../accounts/users/queries.ts';
import { findProgram } from '../../../domain/programs/queries.ts';
import type { Principal, ProjectRef } from '../../../platform/http/access/principal.ts';
import { conflict, invalid, notFound, unavailable } from '../../../platform/kit/errors.ts';
import { addMs, DAY_MS, toInstant } from '../../../platform/kit/instant.ts';
import type { MailData } from '../kinds.ts';
import { type MailRouteDeps, notSetUp } from '../mail-deps.ts';
import { findUnknownPlaceholder, PLACEHOLDERS } from '../render/mail-texts.ts';
import { renderMail, TEXTS } from '../render/render-mail.ts';
import type { MailPreview, PreviewMail } from '../schema.ts';
import { toBrand } from '../send/compose-mail.ts';
import { findProgramMail, findSettings } from './settings-store.ts';

const EXAMPLE_HOLD_DAYS = 30;

/** A mail as it would look, about an invented person and reward. Fails with NOT_FOUND or INVALID_REQUEST. */
export async function previewMail(
  deps: MailRouteDeps,
  projectId: string,
  programId: string,
  { kind, language: asked, text }: PreviewMail,
): Promise<MailPreview> {
  const { reads } = deps.database;
  const now = toInstant(deps.clock.nowMs());
  const program = await findProgram(reads, projectId, programId, now);
  if (!program) throw notFound('program');
  for (const [field, value] of Object.entries(text ?? {})) {
    const unknown = findUnknownPlaceholder(kind, value);
    if (unknown !== undefined) {
      throw invalid(`text.${field}`, `contains the unknown placeholder {${unknown}}`);
    }
  }
  const own = await findProgramMail(reads, projectId, programId);
  const settings = await findSettings(reads, projectId);
  const language = asked ?? own?.language ?? settings?.language ?? 'en';
  const template = text ?? own?.texts[language]?.[kind] ?? TEXTS[language].kinds[kind];
  const data: MailData = {
    money: { amountMinor: '2500', currency: 'EUR', currencyExponent: 2 },
    availableAt: addMs(now, EXAMPLE_HOLD_DAYS * DAY_MS),
  };
  const rendered = renderMail({
    kind,
    language,
    brand: toBrand(program.name, program.config),
    name: 'Ada',
    data,
    ownTexts: { [language]: { [kind]: template } },
    unsubscribeUrl: `${deps.baseUrl}/mail/unsubscribe`,
  });
  return { ...rendered, template: { ...template }, placeholders: [...PLACEHOLDERS[kind]] };
}

/**
 * Mails an example to the caller, at their own address, whatever is switched on. Fails with NOT_FOUND,
 * or CONFLICT `sign_in_first` or `mail_not_set_up`.
 */
export async function sendTest(
  deps: MailRouteDeps,
  project: ProjectRef,
  principal: Principal,
  { programId, ...input }: PreviewMail & { readonly programId: string },
): Promise<{ sentTo: string }> {
  const { reads } = deps.database;
  if (principal.type !== 'user') {
    throw conflict('sign_in_first', 'A test is mailed to the person who is signed in.');
  }
  const member = await findTeamMember(reads, project.workspaceId, principal.userId);
  const sender = (await findSettings(reads, project.id))?.sender;
  if (!member || !deps.mailer || !sender) throw notSetUp(deps.mailer);
  const { subject, text, html } = await previewMail(deps, project.id, programId, input);
  const mail = {
    to: member.email,
    subject: `[Test] ${subject}`,
    text,
    html,
    from: { name: sender.name, address: sender.address },
    ...(sender.replyTo ? { replyTo: sender.replyTo } : {}),
  };
  try {
    await deps.mailer.send(mail);
  } catch (error) {
    throw unavailable('The SMTP server did not accept the mail.', 'mail_refused', error);
  }
  return { sentTo: member.email };
}
