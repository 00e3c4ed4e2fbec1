import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  savePartnerDetails,
  showPartnerDetails,
} from '../../outbound/payouts/details/partner-details.ts';
import { listTransfers } from '../../outbound/payouts/queries.ts';
import { AppError, invalid } from '../../platform/kit/errors.ts';
import {
  type FormErrors,
  type FormKind,
  readFormValues,
  toDetailsInput,
  toFormErrors,
  toFormKind,
} from './details-form.ts';
import { detailsPage } from './details-html.ts';
import { loadRewards, loadTotals } from './load-partner.ts';
import { type RewardsCursor, readRewardsCursor, writeRewardsCursor } from './merge-rewards.ts';
import { listPage, overviewPage, rewardList, transferList } from './overview-html.ts';
import type { PartnerPageDeps } from './partner-page-deps.ts';
import { loadLeaderboard, loadReferrals } from './program/load-leaderboard.ts';
import { loadProgress } from './program/load-progress.ts';
import { loadTermsNow } from './program/load-terms.ts';
import { describeTerms } from './program/terms-words.ts';
import type { LinkAttempt } from './program-html.ts';
import { readChoice } from './results/choice.ts';
import { loadResults } from './results/load-results.ts';
import { askPage } from './sign-in-html.ts';
import { type Entered, sendPage, type Visits } from './visit.ts';

/** On the overview; the lists have the rest. */
const REWARDS_SHOWN = 10;
const TRANSFERS_SHOWN = 5;
const PAGE = 25;
const CURSOR_MAX = 8_192;
const FROM_START: RewardsCursor = new Map();

/** The pages of signed-in partners. */
export function registerAccountPages(
  scope: FastifyInstance,
  deps: PartnerPageDeps,
  visits: Visits,
): void {
  const { reads } = deps.database;

  scope.get('/partner', async (request, reply) => {
    if (!(await visits.sessionOf(request))) {
      const formToken = visits.formTokenOf(request, reply);
      return sendPage(reply, askPage(visits.shellOf(request), formToken, null));
    }
    const entered = await visits.enter(request, reply);
    return entered ? showOverview(deps, reply, entered) : reply;
  });

  scope.get('/partner/rewards', async (request, reply) => {
    const after = afterOf(request);
    const entered = await visits.enter(request, reply);
    if (!entered) return reply;
    const { frame } = entered;
    const cursor = after === null ? FROM_START : readRewardsCursor(after);
    if (!cursor) throw invalid('after', 'is not a cursor of this list');
    const { rewards, next } = await loadRewards(deps, entered.projects, cursor, PAGE);
    const isSuspended = frame.partner.status === 'suspended';
    const content = rewardList(rewards, isSuspended, frame.reader);
    return sendPage(
      reply,
      listPage(frame, frame.reader.texts.rewards, content, {
        here: 'rewards',
        next: next && writeRewardsCursor(next),
        isFirst: after === null,
      }),
    );
  });

  scope.get('/partner/payouts', async (request, reply) => {
    const after = afterOf(request);
    const entered = await visits.enter(request, reply);
    if (!entered) return reply;
    const { frame } = entered;
    if (after !== null && !/^po_[0-9a-z]{26}$/.test(after)) {
      throw invalid('after', 'is not a cursor of this list');
    }
    const transfers = await listTransfers(reads, frame.partner.id, after, PAGE + 1);
    const shown = transfers.slice(0, PAGE);
    return sendPage(
      reply,
      listPage(frame, frame.reader.texts.payouts, transferList(shown, frame.reader), {
        here: 'payouts',
        next: transfers.length > PAGE ? (shown.at(-1)?.id ?? null) : null,
        isFirst: after === null,
      }),
    );
  });

  scope.get('/partner/details', async (request, reply) => {
    const { kind } = request.query as { kind?: unknown };
    return showForm(request, reply, toFormKind(typeof kind === 'string' ? kind : null), {});
  });

  scope.post('/partner/details', async (request, reply) => {
    const form = visits.formOf(request);
    const entered = await visits.enter(request, reply);
    if (!entered) return reply;
    const kind = toFormKind(form.get('kind'));
    const values = readFormValues(kind, form);
    const { id } = entered.frame.partner;
    try {
      const asked = {
        actor: { type: 'user', id },
        requestId: request.id,
        ip: request.ip,
        idempotency: null,
      } as const;
      await savePartnerDetails(deps, asked, id, toDetailsInput(kind, values));
    } catch (error) {
      // Erased since the page was requested: the session belongs to nobody any more.
      if (error instanceof AppError && error.code === 'NOT_FOUND') {
        return visits.redirect(reply, '');
      }
      const errors = toFormErrors(kind, error, entered.frame.reader.texts);
      if (!errors) throw error;
      return showForm(request, reply.code(400), kind, { values, errors });
    }
    return visits.redirect(reply, '?saved');
  });

  async function showForm(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: FormKind,
    {
      values = {},
      errors = new Map(),
    }: { values?: ReturnType<typeof readFormValues>; errors?: FormErrors },
  ): Promise<FastifyReply> {
    const entered = await visits.enter(request, reply);
    if (!entered) return reply;
    const details = await showPartnerDetails(deps, entered.frame.partner.id);
    const form = { kind, values, errors };
    return sendPage(reply, detailsPage(entered.frame, details, form));
  }
}

/** The name of a link that was refused, and where. */
interface RefusedLink extends LinkAttempt {
  readonly programId: string;
}

export async function showOverview(
  deps: PartnerPageDeps,
  reply: FastifyReply,
  { frame, projects, programs }: Entered,
  refused: RefusedLink | null = null,
): Promise<FastifyReply> {
  const { reads } = deps.database;
  const { partner, reader } = frame;
  const query = reply.request.query as Record<string, unknown>;
  const [shown, results, totals, earned, transfers, details] = await Promise.all([
    Promise.all(
      programs.map(async (program) => {
        const [{ terms, inForce, now }, referrals] = await Promise.all([
          loadTermsNow(deps, program),
          loadReferrals(deps, program),
        ]);
        const [leaderboard, progress] = await Promise.all([
          loadLeaderboard(deps, program, referrals),
          loadProgress(deps, program, { inForce, now }),
        ]);
        return {
          ...program,
          terms: describeTerms(terms, reader),
          referrals,
          leaderboard,
          progress,
          attempt: refused?.programId === program.id ? refused : null,
        };
      }),
    ),
    loadResults(deps, projects, programs, readChoice(query)),
    loadTotals(deps, projects),
    loadRewards(deps, projects, FROM_START, REWARDS_SHOWN),
    listTransfers(reads, partner.id, null, TRANSFERS_SHOWN + 1),
    showPartnerDetails(deps, partner.id),
  ]);
  const { link, saved } = query;
  const created = programs.flatMap(({ links }) => links).find(({ slug }) => slug === link);
  const overview = {
    programs: shown,
    results,
    totals,
    rewards: earned.rewards,
    hasMoreRewards: earned.next !== null,
    transfers: transfers.slice(0, TRANSFERS_SHOWN),
    hasMoreTransfers: transfers.length > TRANSFERS_SHOWN,
    details,
    isSaved: saved !== undefined,
    created: created?.url ?? null,
  };
  return sendPage(reply, overviewPage(frame, overview));
}

/** The cursor; null for the newest. */
function afterOf(request: FastifyRequest): string | null {
  const { after } = request.query as { after?: unknown };
  if (after === undefined) return null;
  if (typeof after !== 'string' || after === '' || after.length > CURSOR_MAX) {
    throw invalid('after', 'is not a cursor of this list');
  }
  return after;
}
