import { ONE_EVENT_EACH, type StoredRule } from './rule-store.ts';

/** What must agree between reviews, their referrals and the Rewards of these. */
export const REVIEW_RULES: readonly StoredRule[] = [
  {
    subject: 'referral',
    field: 'review_status',
    broken: `select f.id, coalesce(f.review_status, 'none') as stored,
        coalesce(v.status, 'none') as expected
      from referrals f
      left join risk_reviews v on v.project_id = $1 and v.referral_id = f.id
      where f.project_id = $1 and f.review_status is distinct from v.status`,
  },
  {
    subject: 'review',
    field: 'referral',
    broken: `select v.id, concat_ws(' ', v.program_id, v.referrer_participant_id,
          v.referee_participant_id) as stored,
        concat_ws(' ', f.program_id, f.referrer_participant_id, f.referee_participant_id)
          as expected
      from risk_reviews v
      join referrals f on f.project_id = $1 and f.id = v.referral_id
      where v.project_id = $1
        and (v.program_id, v.referrer_participant_id, v.referee_participant_id)
          <> (f.program_id, f.referrer_participant_id, f.referee_participant_id)`,
  },
  {
    subject: 'review',
    field: 'score',
    broken: `select v.id, v.score::text as stored,
        coalesce(e.explanation #>> '{risk,score}', v.review_at || ' or more') as expected
      from risk_reviews v
      join events e on e.project_id = $1 and e.id = v.event_id
      where v.project_id = $1 and (v.score < v.review_at
        or v.score::text <> e.explanation #>> '{risk,score}')`,
  },
  {
    subject: 'reward',
    field: 'is_under_review',
    // A decision is carried out in slices.
    broken: `select r.id, r.is_under_review::text as stored,
        coalesce(v.status = 'open', false)::text as expected
      from rewards r
      left join risk_reviews v on v.project_id = $1 and v.referral_id = r.referral_id
      where r.project_id = $1 and r.milestone is null
        and r.is_under_review <> coalesce(v.status = 'open', false)
        and not (r.is_under_review and coalesce(v.is_unfinished, false))`,
  },
  {
    subject: 'reward',
    field: 'answered_event_id',
    broken: `select r.id, r.answered_event_id as stored, 'none' as expected
      from rewards r where r.project_id = $1 and r.answered_event_id is not null
        and (not r.is_under_review or r.fulfillment is not null)`,
  },
  {
    subject: 'reward',
    field: 'earned_at',
    broken: `select r.id, r.earned_at::text as stored, 'until ' || v.decided_at as expected
      from risk_reviews v
      join rewards r on r.project_id = $1 and r.referral_id = v.referral_id
        and r.earned_at > v.decided_at
      where v.project_id = $1 and v.status = 'rejected'`,
  },
  ONE_EVENT_EACH('risk.review_opened', 'risk_reviews where project_id = $1'),
  ONE_EVENT_EACH(
    'risk.review_decided',
    `risk_reviews where project_id = $1 and decided_at is not null`,
  ),
];
