import { createReferralCode } from '../../domain/participants/names/create-names.ts';
import { findOwnCode } from '../../domain/participants/names/queries.ts';
import type { ParticipantRef, ReferralCode } from '../../domain/participants/schema.ts';
import type { ParticipantDeps } from '../../domain/participants/write-participants.ts';
import {
  findDelivery,
  findReferralProgram,
  listTermsInForce,
  type ProgramState,
  paysOut,
} from '../../domain/programs/queries.ts';
import { findProgress } from '../../domain/tracking/read/find-progress.ts';
import { PAYOUT_TYPES, type PayoutType } from '../../outbound/payouts/details/details.ts';
import { showDetailsOf } from '../../outbound/payouts/details/participant-details.ts';
import type { DetailsDeps } from '../../outbound/payouts/payout-deps.ts';
import { projectNow } from '../../platform/feed/writer/project-clock.ts';
import type {
  ProjectRef,
  WidgetCaller,
  WriteRequest,
} from '../../platform/http/access/principal.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { notFound } from '../../platform/kit/errors.ts';
import type { WidgetStart } from './schema.ts';

export type StartDeps = Pick<ParticipantDeps, 'writer' | 'database' | 'keyring' | 'baseUrl'> & {
  readonly clock: Clock;
} & Pick<DetailsDeps, 'payeeOnboarding'>;

type StartAsked = Pick<WidgetCaller, 'participant' | 'scopes'> & {
  /** Null for the oldest active program. */
  readonly programId: string | null;
};

/**
 * Everything the panel needs at its start. Creates and enrolls the participant and gives them a
 * code if needed. Fails with NOT_FOUND for a program that is not a referral program of the project,
 * participant_deleted, program_not_open and enrollment_ended.
 */
export async function startWidget(
  deps: StartDeps,
  project: ProjectRef,
  request: WriteRequest,
  { participant: ref, scopes, programId }: StartAsked,
): Promise<WidgetStart> {
  const { reads } = deps.database;
  const now = await projectNow(reads, deps.clock, project);
  const program = await findReferralProgram(reads, project.id, programId, now);
  if (!program) throw notFound('program');
  const { participantId, code, url } = await ensureCode(deps, project, request, {
    participant: ref,
    programId: program.id,
  });
  // Erased since: its link no longer exists.
  if (url === null) throw notFound('participant');
  const [terms, delivery, details, types] = await Promise.all([
    listTermsInForce(reads, project.id, program.id, now),
    findDelivery(reads, project.id, program.id),
    showDetailsOf(reads, project.id, participantId, now),
    listPayoutTypes(deps, project),
  ]);
  const asked = { projectId: project.id, programId: program.id, participantId, now };
  const { config, status } = program;
  return {
    program: { id: program.id, name: program.name, kind: 'referral', status },
    config: { ...config, widgetConfig: { ...config.widgetConfig, referralLink: url } },
    participant: { participantId, kind: ref.kind, externalId: ref.externalId },
    referral: { code, link: url },
    payout: {
      required: paysOut(delivery, terms),
      configured: details.configured,
      editable: scopes.includes('widget:payout'),
      types,
    },
    // Nothing more is earned in a program that is over.
    progress: earnsStill(program) ? await findProgress(reads, asked, terms) : [],
  };
}

function earnsStill({ status }: Pick<ProgramState, 'status'>): boolean {
  return status !== 'ended' && status !== 'archived';
}

/**
 * Every page with the panel calls this, so a participant who has a code does not wait for a write.
 */
async function ensureCode(
  deps: StartDeps,
  project: ProjectRef,
  request: WriteRequest,
  asked: { readonly participant: ParticipantRef; readonly programId: string },
): Promise<ReferralCode> {
  const base = { baseUrl: deps.baseUrl, projectKey: project.projectKey };
  const { reads } = deps.database;
  const known = await findOwnCode(reads, project.id, base, asked);
  return known ?? createReferralCode(deps, project, request, asked);
}

/** Stripe accounts are offered only if the project pays by them. */
async function listPayoutTypes(
  { payeeOnboarding }: Pick<DetailsDeps, 'payeeOnboarding'>,
  project: ProjectRef,
): Promise<PayoutType[]> {
  const isConnected = (await payeeOnboarding?.isConnected(project)) ?? false;
  return PAYOUT_TYPES.filter((type) => type !== 'stripe_connect' || isConnected);
}
