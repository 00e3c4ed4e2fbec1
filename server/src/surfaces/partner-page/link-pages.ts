import type { FastifyInstance } from 'fastify';
import { createPartnerLink } from '../../domain/participants/names/create-partner-link.ts';
import { CreateReferralLink } from '../../domain/participants/schema.ts';
import { RateLimit } from '../../platform/http/access/rate-limit.ts';
import { compileCheck } from '../../platform/http/routes/validate.ts';
import { AppError, notFound } from '../../platform/kit/errors.ts';
import { showOverview } from './account-pages.ts';
import type { PartnerPageDeps } from './partner-page-deps.ts';
import { qrSvg } from './qr-code.ts';
import { fill } from './texts/fill.ts';
import type { TextName } from './texts/texts.ts';
import type { Visits } from './visit.ts';

/** Per partner, refused names included: enough for a campaign, too few to look for taken names. */
const LINKS_PER_HOUR = 20;

const checkName = compileCheck(CreateReferralLink.properties.slug, 'body');

/** Why a link was refused, in words for its partner; by the reason of the refusal. */
const REFUSALS: Readonly<Record<string, TextName>> = {
  slug_taken: 'linkNameTaken',
  limit_reached: 'linkLimitReached',
  program_not_open: 'linkNotOpen',
  enrollment_ended: 'linkNotOpen',
  invalid_transition: 'suspended',
};

/** Further links of a partner, and QR codes of all of them. */
export function registerLinkPages(
  scope: FastifyInstance,
  deps: PartnerPageDeps,
  visits: Visits,
): void {
  const limit = new RateLimit(deps.clock, 'partner-links', LINKS_PER_HOUR / 3_600, LINKS_PER_HOUR);

  scope.post('/partner/links', async (request, reply) => {
    const form = visits.formOf(request);
    const entered = await visits.enter(request, reply);
    if (!entered) return reply;
    const program = entered.programs.find(({ id }) => id === form.get('program'));
    if (!program) throw notFound('program');
    const name = form.get('name')?.trim().toLowerCase() ?? '';
    const refuse = (status: number, error: TextName) =>
      showOverview(deps, reply.code(status), entered, {
        programId: program.id,
        name,
        error,
      });
    if (!isName(name)) return refuse(400, 'linkNameWrong');
    const { partner } = entered.frame;
    if (!limit.take(partner.id).allowed) return refuse(429, 'linkTooMany');
    const { project, participantId } = program;
    const asked = {
      workspaceId: project.workspaceId,
      projectId: project.id,
      actor: { type: 'user', id: partner.id },
      requestId: request.id,
      ip: request.ip,
      idempotency: null,
    } as const;
    try {
      const input = { participantId, programId: program.id, slug: name };
      const { slug } = await createPartnerLink(deps, project, asked, input);
      return visits.redirect(reply, `?link=${slug}`);
    } catch (error) {
      const refusal = error instanceof AppError ? error : null;
      // Erased since the page was requested: the session belongs to nobody any more.
      if (refusal?.reason === 'participant_deleted') return visits.redirect(reply, '');
      const text = REFUSALS[refusal?.reason ?? ''];
      if (text === undefined) throw error;
      return refuse(409, text);
    }
  });

  scope.get('/partner/links/:id/qr.svg', async (request, reply) => {
    const entered = await visits.enter(request, reply);
    if (!entered) return reply;
    const { id } = request.params as { id: string };
    const link = entered.programs.flatMap(({ links }) => links).find((one) => one.id === id);
    if (!link) throw notFound('link');
    const label = fill(entered.frame.reader.texts.qrOf, { link: link.url });
    return reply
      .headers({
        'content-type': 'image/svg+xml; charset=utf-8',
        'content-disposition': `attachment; filename="${link.slug}.svg"`,
      })
      .send(qrSvg(link.url, label).text);
  });
}

function isName(name: string): boolean {
  try {
    checkName(name);
    return true;
  } catch {
    return false;
  }
}
