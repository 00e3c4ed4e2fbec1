import type { ProgramStart } from '../../../domain/participants/schema.ts';
import type { CountedReward } from '../../../domain/rewards/decide/reward-figures.ts';
import { COUNTS_AS_GIVEN, COUNTS_IN_PERIOD } from '../../../domain/rewards/reward.ts';
import { SIGNAL_FIGURES } from '../../../domain/risk/reviews/signal-figures.ts';
import type { PurchaseCredit } from '../../../domain/tracking/batch/facts.ts';
import { MEASURES } from '../../../domain/tracking/batch/measure-queries.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { FIGURES, type FigureRow } from '../../../platform/figures/figure-row.ts';
import type { Figure } from '../../../platform/figures/tally.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { type ListPages, pagesOf } from './page-store.ts';

/** All results are in byte order of their owner, so that they can be merged. */
const byBytes = (column: string) => `order by ${column} collate "C"`;

const day = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD')`;

/** Writes to the project wait until the transaction ends. */
export async function lockProject(tx: Tx, projectId: string): Promise<void> {
  await tx.query('select 1 from project_heads where project_id = $1 for no key update', [
    projectId,
  ]);
}

/** Earlier versions do not store who signed up: see migration 0047. */
export async function fillSignupPersons(tx: Tx, projectId: string): Promise<void> {
  await tx.query(
    `update rewards r set signup_person_id = coalesce(e.actor_participant_id, e.participant_id)
     from events e where r.project_id = $1 and r.signup_person_id is null and r.milestone is null
       and e.project_id = $1 and e.id = r.event_id and e.type = 'signup'`,
    [projectId],
  );
}

export const listFigures = pagesOf<FigureRow>(
  'verify_figures',
  `select ${FIGURES} from figures where project_id = $1 ${byBytes('subject')}`,
);

/** Rewards that count alike: their number and the sum of their amounts. */
interface AlikeRewards {
  readonly howMany: bigint;
  readonly reward: CountedReward;
}

interface RewardGroup
  extends Pick<
    CountedReward,
    'programId' | 'currency' | 'unitId' | 'fulfillmentStatus' | 'method'
  > {
  readonly howMany: bigint;
  readonly ruleId?: string;
  readonly beneficiaryParticipantId?: string;
  readonly day?: string;
  readonly isVoid: boolean;
  readonly isMilestone?: boolean;
  readonly isLost?: boolean;
  readonly isDisputed: boolean;
  readonly amountMinor: string | null;
  readonly netAmountMinor: string | null;
  readonly paidMinor: string;
  readonly quantity: bigint | null;
}

const SUMS = `count(*) as "howMany", sum(r.amount_minor)::text as "amountMinor",
  sum(r.net_amount_minor)::text as "netAmountMinor", sum(r.paid_minor)::text as "paidMinor",
  sum(r.quantity) as quantity`;
const ALIKE = `r.program_id as "programId", r.currency, r.unit_id as "unitId",
  r.fulfillment_status as "fulfillmentStatus", r.method, r.void is not null as "isVoid",
  r.is_disputed as "isDisputed"`;
/** Fully refunded rewards form their own group, because they no longer count. */
const APART = `r.program_id, r.currency, r.unit_id, r.fulfillment_status, r.method,
  r.void is not null, r.is_disputed, r.net_amount_minor = 0`;

/** Voided because its milestone is no longer reached, and not yet taken back. */
const LOST = `(coalesce(r.void->>'reasonCode' = 'milestone_lost', false)
  and r.fulfillment_status <> 'revoked')`;

/** By beneficiary, regardless of the day. */
export const groupRewardsByBeneficiary = alike(
  pagesOf(
    'verify_rewards_by_beneficiary',
    `select r.beneficiary_participant_id as "beneficiaryParticipantId", r.rule_id as "ruleId",
       r.milestone is not null as "isMilestone", ${LOST} as "isLost", ${ALIKE}, ${SUMS}
     from rewards r where r.project_id = $1
     group by r.beneficiary_participant_id, r.rule_id, r.milestone is not null, ${LOST}, ${APART}
     ${byBytes('r.beneficiary_participant_id')}`,
  ),
);

/** By program and day, regardless of beneficiary and rule. */
export const groupRewardsByProgram = alike(
  pagesOf(
    'verify_rewards_by_program',
    `select ${day('r.earned_at')} as day, ${ALIKE}, ${SUMS}
       from rewards r where r.project_id = $1
       group by ${day('r.earned_at')}, ${APART}
       ${byBytes('r.program_id')}`,
  ),
);

/** Only of partners that were not erased. */
const ofPartner = (participantId: string) =>
  `join participants partner on partner.project_id = $1 and partner.id = ${participantId}
       and partner.partner_id is not null and partner.deleted_at is null`;

/** By partner, program and day. */
export const groupRewardsByPartnerDay = alike(
  pagesOf(
    'verify_rewards_by_partner_day',
    `select r.beneficiary_participant_id as "beneficiaryParticipantId",
       ${day('r.earned_at')} as day, ${ALIKE}, ${SUMS}
     from rewards r ${ofPartner('r.beneficiary_participant_id')}
     where r.project_id = $1
     group by r.beneficiary_participant_id, ${day('r.earned_at')}, ${APART}
     ${byBytes(`r.beneficiary_participant_id || ':' || r.program_id`)}`,
  ),
);

function alike(list: ListPages<RewardGroup>): ListPages<AlikeRewards> {
  return async function* (tx, projectId) {
    for await (const page of list(tx, projectId)) yield page.map(toAlike);
  };
}

function toAlike({ howMany, isVoid, isMilestone, isLost, ...group }: RewardGroup): AlikeRewards {
  return {
    howMany,
    reward: {
      ...group,
      ruleId: group.ruleId ?? '',
      // Periods and signups are recounted separately.
      referralId: '',
      signupPersonId: null,
      beneficiaryParticipantId: group.beneficiaryParticipantId ?? '',
      earnedAt: group.day ?? '',
      amountMinor: group.amountMinor === null ? null : BigInt(group.amountMinor),
      netAmountMinor: group.netAmountMinor === null ? null : BigInt(group.netAmountMinor),
      paidMinor: BigInt(group.paidMinor),
      quantity: group.quantity === null ? null : Number(group.quantity),
      milestone: isMilestone ? '' : null,
      void: isVoid ? { ...(isLost ? { reasonCode: 'milestone_lost' } : {}) } : null,
    },
  };
}

export const groupRewardsByPeriod = pagesOf<{
  readonly period: string;
  readonly programId: string;
  readonly ruleId: string;
  readonly howMany: bigint;
}>(
  'verify_rewards_by_period',
  `select coalesce(r.referral_id, r.beneficiary_participant_id) as period,
       r.program_id as "programId", r.rule_id as "ruleId", count(*) as "howMany"
     from rewards r where r.project_id = $1 and ${COUNTS_IN_PERIOD}
     group by coalesce(r.referral_id, r.beneficiary_participant_id), r.program_id, r.rule_id
     ${byBytes('coalesce(r.referral_id, r.beneficiary_participant_id)')}`,
);

export const groupSignupRewards = pagesOf<{
  readonly personId: string;
  readonly programId: string;
  readonly ruleId: string;
  readonly howMany: bigint;
}>(
  'verify_signup_rewards',
  `select coalesce(e.actor_participant_id, e.participant_id) as "personId",
       r.program_id as "programId", r.rule_id as "ruleId", count(*) as "howMany"
     from rewards r join events e on e.project_id = $1 and e.id = r.event_id
     where r.project_id = $1 and e.type = 'signup' and r.milestone is null and ${COUNTS_AS_GIVEN}
     group by coalesce(e.actor_participant_id, e.participant_id), r.program_id, r.rule_id
     ${byBytes('coalesce(e.actor_participant_id, e.participant_id)')}`,
);

interface AlikeReferrals {
  readonly programId: string;
  readonly referrerParticipantId: string;
  readonly linkId: string | null;
  readonly selectedAt: Instant;
  readonly howMany: bigint;
}

export const groupReferralsByReferrer = pagesOf<AlikeReferrals>(
  'verify_referrals_by_referrer',
  `select program_id as "programId", referrer_participant_id as "referrerParticipantId",
       null as "linkId", '' as "selectedAt", count(*) as "howMany"
     from referrals where project_id = $1 group by referrer_participant_id, program_id
     ${byBytes('referrer_participant_id')}`,
);

export const groupReferralsByProgram = pagesOf<AlikeReferrals>(
  'verify_referrals_by_program',
  `select program_id as "programId", '' as "referrerParticipantId", null as "linkId",
       ${day('selected_at')} as "selectedAt", count(*) as "howMany"
     from referrals where project_id = $1 group by program_id, ${day('selected_at')}
     ${byBytes('program_id')}`,
);

export const groupReferralsByLink = pagesOf<AlikeReferrals & { readonly linkId: string }>(
  'verify_referrals_by_link',
  `select program_id as "programId", '' as "referrerParticipantId", link_id as "linkId",
       '' as "selectedAt", count(*) as "howMany"
     from referrals where project_id = $1 and link_id is not null group by link_id, program_id
     ${byBytes('link_id')}`,
);

export const groupReferralsByPartnerDay = pagesOf<AlikeReferrals>(
  'verify_referrals_by_partner_day',
  `select r.program_id as "programId", r.referrer_participant_id as "referrerParticipantId",
       null as "linkId", ${day('r.selected_at')} as "selectedAt", count(*) as "howMany"
     from referrals r ${ofPartner('r.referrer_participant_id')}
     where r.project_id = $1
     group by r.referrer_participant_id, r.program_id, ${day('r.selected_at')}
     ${byBytes(`r.referrer_participant_id || ':' || r.program_id`)}`,
);

interface AlikeCustomers extends AlikeReferrals {
  readonly firstPurchaseAt: Instant;
}

/** By the days of the referral and of the first purchase. */
export const groupCustomersByProgram = pagesOf<AlikeCustomers>(
  'verify_customers_by_program',
  `select program_id as "programId", '' as "referrerParticipantId", null as "linkId",
       ${day('selected_at')} as "selectedAt", ${day('first_purchase_at')} as "firstPurchaseAt",
       count(*) as "howMany"
     from referrals where project_id = $1 and first_purchase_at is not null
     group by program_id, ${day('selected_at')}, ${day('first_purchase_at')} ${byBytes('program_id')}`,
);

export const groupCustomersByReferrer = pagesOf<AlikeCustomers>(
  'verify_customers_by_referrer',
  `select program_id as "programId", referrer_participant_id as "referrerParticipantId",
       null as "linkId", '' as "selectedAt", '' as "firstPurchaseAt", count(*) as "howMany"
     from referrals where project_id = $1 and first_purchase_at is not null
     group by referrer_participant_id, program_id ${byBytes('referrer_participant_id')}`,
);

export const groupCustomersByLink = pagesOf<AlikeCustomers & { readonly linkId: string }>(
  'verify_customers_by_link',
  `select program_id as "programId", '' as "referrerParticipantId", link_id as "linkId",
       '' as "selectedAt", '' as "firstPurchaseAt", count(*) as "howMany"
     from referrals
     where project_id = $1 and first_purchase_at is not null and link_id is not null
     group by link_id, program_id ${byBytes('link_id')}`,
);

export const groupCustomersByPartnerDay = pagesOf<AlikeCustomers>(
  'verify_customers_by_partner_day',
  `select r.program_id as "programId", r.referrer_participant_id as "referrerParticipantId",
       null as "linkId", '' as "selectedAt", ${day('r.first_purchase_at')} as "firstPurchaseAt",
       count(*) as "howMany"
     from referrals r ${ofPartner('r.referrer_participant_id')}
     where r.project_id = $1 and r.first_purchase_at is not null
     group by r.referrer_participant_id, r.program_id, ${day('r.first_purchase_at')}
     ${byBytes(`r.referrer_participant_id || ':' || r.program_id`)}`,
);

/** By program and campaign. */
export const groupReferralsByCampaign = pagesOf<{
  readonly programId: string;
  readonly campaign: string;
  readonly howMany: bigint;
  readonly customers: bigint;
}>(
  'verify_referrals_by_campaign',
  `select program_id as "programId", campaign, count(*) as "howMany",
       count(first_purchase_at) as customers
     from referrals where project_id = $1 and campaign is not null
     group by program_id, campaign ${byBytes('program_id')}`,
);

/** Credited purchases that count alike, as one with the sums of their amounts. */
interface AlikePurchases extends Omit<PurchaseCredit, 'campaign' | 'reviewStatus'> {
  readonly currency: string;
  readonly amountMinor: string;
  readonly refundedMinor: bigint;
  readonly disputedMinor: bigint;
}

/** Credited purchases with their referrals. Events from before the referral was recorded were credited to their participant's own. */
const CREDITED = `join referrals r on r.project_id = $1 and (r.id = e.referral_id or
       (e.referral_id is null and r.referee_participant_id = e.participant_id))`;
const IS_CREDITED = `e.project_id = $1 and e.type = 'purchase' and e.processing_state = 'processed'
       and e.program_id is not null`;

function groupPurchases<R extends AlikePurchases>(
  name: string,
  group: {
    readonly columns: string;
    readonly by: string;
    readonly owner: string;
    readonly joins?: string;
  },
): ListPages<R> {
  const list = pagesOf<
    Omit<AlikePurchases, 'refundedMinor' | 'disputedMinor'> & {
      readonly refundedText: string;
      readonly disputedText: string;
    }
  >(
    name,
    `select r.program_id as "programId", p.currency, ${group.columns},
       sum(p.amount_minor)::text as "amountMinor", sum(p.refunded_minor)::text as "refundedText",
       sum(p.disputed_minor)::text as "disputedText"
     from events e
     join purchases p on p.project_id = $1 and p.event_id = e.id
     ${CREDITED} ${group.joins ?? ''}
     where ${IS_CREDITED}
     group by r.program_id, p.currency${group.by} ${byBytes(group.owner)}`,
  );
  return async function* (tx, projectId) {
    for await (const page of list(tx, projectId)) {
      yield page.map(
        ({ refundedText, disputedText, ...sums }) =>
          ({
            ...sums,
            refundedMinor: BigInt(refundedText),
            disputedMinor: BigInt(disputedText),
          }) as R,
      );
    }
  };
}

export const groupPurchasesByProgram = groupPurchases('verify_purchases_by_program', {
  columns: `'' as "referrerParticipantId", null as "linkId", ${day('e.received_at')} as "receivedAt"`,
  by: `, ${day('e.received_at')}`,
  owner: 'r.program_id',
});

export const groupPurchasesByReferrer = groupPurchases('verify_purchases_by_referrer', {
  columns: `r.referrer_participant_id as "referrerParticipantId", null as "linkId", '' as "receivedAt"`,
  by: ', r.referrer_participant_id',
  owner: 'r.referrer_participant_id',
});

export const groupRevenueByCampaign = groupPurchases<
  AlikePurchases & { readonly campaign: string }
>('verify_revenue_by_campaign', {
  columns: `'' as "referrerParticipantId", null as "linkId", '' as "receivedAt", r.campaign`,
  by: ', r.campaign having r.campaign is not null',
  owner: 'r.program_id',
});

export const groupRevenueByPartnerDay = groupPurchases('verify_revenue_by_partner_day', {
  columns: `r.referrer_participant_id as "referrerParticipantId", null as "linkId",
       ${day('e.received_at')} as "receivedAt"`,
  by: `, r.referrer_participant_id, ${day('e.received_at')}`,
  owner: `r.referrer_participant_id || ':' || r.program_id`,
  joins: ofPartner('r.referrer_participant_id'),
});

/** With or without an amount. */
export const groupPurchasesByPartnerDay = pagesOf<
  Omit<PurchaseCredit, 'linkId' | 'campaign' | 'reviewStatus'> & { readonly howMany: bigint }
>(
  'verify_purchases_by_partner_day',
  `select r.program_id as "programId", r.referrer_participant_id as "referrerParticipantId",
       ${day('e.received_at')} as "receivedAt", count(*) as "howMany"
     from events e ${CREDITED} ${ofPartner('r.referrer_participant_id')}
     where ${IS_CREDITED}
     group by r.referrer_participant_id, r.program_id, ${day('e.received_at')}
     ${byBytes(`r.referrer_participant_id || ':' || r.program_id`)}`,
);

export const groupPurchasesByLink = groupPurchases<AlikePurchases & { readonly linkId: string }>(
  'verify_purchases_by_link',
  {
    columns: `'' as "referrerParticipantId", r.link_id as "linkId", '' as "receivedAt"`,
    by: ', r.link_id having r.link_id is not null',
    owner: 'r.link_id',
  },
);

/** What imports carried over. */
export const listStarts = pagesOf<{
  readonly id: string;
  readonly starts: readonly ProgramStart[];
}>(
  'verify_starts',
  `select id, starting_measures as starts from participants
     where project_id = $1 and starting_measures is not null ${byBytes('id')}`,
);

/** The measures of tiers and milestones, each as the figure that it should be. */
export const groupMeasures = pagesOf<Omit<Figure, 'value'> & { readonly value: string }>(
  'verify_measures',
  `select subject, part, name, sum(value)::text as value from (${MEASURES}) as m
     group by subject, part, name ${byBytes('subject')}`,
);

/** How the reviews of each signal ended: by Program, or of the Project. */
const groupSignals = (name: string, subject: string) =>
  pagesOf<{
    readonly subject: string;
    readonly part: string;
    readonly name: string;
    readonly howMany: bigint;
  }>(
    name,
    `select ${subject} as subject, '${SIGNAL_FIGURES}' as part,
         (s.one ->> 'signal') || ':' || v.status as name, count(*) as "howMany"
       from risk_reviews v cross join lateral json_array_elements(v.signals) as s (one)
       where v.project_id = $1 group by 1, 3 ${byBytes(subject)}`,
  );
export const groupSignalsByProgram = groupSignals('verify_signals_by_program', 'v.program_id');
export const groupSignalsOfProject = groupSignals('verify_signals', 'v.project_id');

interface AlikeClicks {
  readonly programId: string;
  readonly sharedId: string;
  readonly isLink: boolean;
  readonly day: string;
  readonly clicks: bigint;
}

export const groupClicksByProgram = pagesOf<AlikeClicks>(
  'verify_clicks_by_program',
  `select program_id as "programId", '' as "sharedId", false as "isLink", day::text as day,
       sum(clicks)::bigint as clicks
     from click_counts where project_id = $1 group by program_id, day ${byBytes('program_id')}`,
);

export const groupClicksByLink = pagesOf<AlikeClicks>(
  'verify_clicks_by_link',
  `select c.program_id as "programId", c.shared_id as "sharedId", true as "isLink", '' as day,
       sum(c.clicks)::bigint as clicks
     from click_counts c join ref_links l on l.project_id = $1 and l.id = c.shared_id
     where c.project_id = $1 group by c.shared_id, c.program_id ${byBytes('c.shared_id')}`,
);

interface AlikeEvents {
  readonly programId: string;
  readonly type: string;
  readonly receivedAt: Instant;
  readonly processingReason: string;
  readonly howMany: bigint;
}

export const groupEventsByProgram = pagesOf<AlikeEvents>(
  'verify_events_by_program',
  `select program_id as "programId", type, ${day('received_at')} as "receivedAt",
       '' as "processingReason", count(*) as "howMany"
     from events where project_id = $1 and program_id is not null
     group by program_id, type, ${day('received_at')} ${byBytes('program_id')}`,
);

/** Of the whole project, credited or not. */
export const groupEventsByDay = pagesOf<Omit<AlikeEvents, 'programId'>>(
  'verify_events_by_day',
  `select type, ${day('received_at')} as "receivedAt",
       case processing_reason when 'duplicate_invoice' then processing_reason else '' end
         as "processingReason", count(*) as "howMany"
     from events where project_id = $1 and processing_state = 'processed' group by 1, 2, 3`,
);
