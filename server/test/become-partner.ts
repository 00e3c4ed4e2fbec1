import type { TestProject, TestService } from './harness.ts';

export interface BecomePartner {
  readonly participantId: string;
  readonly partnerId: string;
  readonly programId: string;
  readonly code: string;
  readonly linkUrl: string;
}

/** Applies, proves the address, is approved: returns who the Partner is, here and everywhere. */
export async function becomePartner(
  service: TestService,
  project: TestProject,
  email: string,
  { beforeApproval }: { beforeApproval?: (programId: string) => Promise<void> } = {},
): Promise<BecomePartner> {
  const { projectId, key: as } = project;
  const post = async (path: string, body: object = {}) =>
    (await service.call('POST', path, { as, body: { projectId, ...body } })).body.data;
  const get = async (path: string, query: Record<string, string> = {}) =>
    (await service.call('GET', path, { as, query: { projectId, ...query } })).body.data;
  const program = await post('/v1/programs', {
    kind: 'affiliate',
    name: 'Partners',
    config: {
      brandConfig: { landingPageUrl: 'https://example.com' },
      partnerApplicationsOpen: true,
    },
  });
  await post(`/v1/programs/${program.id}/status`, { status: 'active' });
  const { id } = await post('/v1/partner-applications', {
    programId: program.id,
    name: 'Grace Hopper',
    email,
    profileType: 'individual',
  });
  const [application] = await get('/v1/partner-applications', { programId: program.id });
  if (service.mailer) await service.sendMails();
  const link = service.mailer?.linkTo(email) ?? new URL(application.verificationUrl);
  const token = link.searchParams.get('token') ?? '';
  const url = `${service.url}/partner-applications/verify`;
  const page = await (await fetch(`${url}?token=${token}`)).text();
  const digest = /name="digest" value="([^"]*)"/.exec(page)?.[1] ?? '';
  await fetch(url, { method: 'POST', body: new URLSearchParams({ token, digest }) });
  await beforeApproval?.(program.id);
  const { participantId } = await post(`/v1/partner-applications/${id}/approve`);
  const { participant, refCodes, links } = await get(`/v1/participants/${participantId}`);
  return {
    participantId,
    partnerId: participant.partnerId,
    programId: program.id,
    code: refCodes.at(-1).code,
    linkUrl: links.at(-1).url,
  };
}
