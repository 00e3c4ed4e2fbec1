import { expect } from 'vitest';
import { PAYOUT_RULES } from '../src/programs/verify/stores/payout-store.ts';
import type { TestService } from './harness.ts';
import type { PayoutShop } from './payout-shop.ts';

/** Copies of a Reward, which no Event was told for: only payouts are looked at. */
export async function copyReward(
  service: TestService,
  shop: PayoutShop,
  copies: number,
  participantOf: string,
): Promise<void> {
  const { projectId } = shop.project;
  const [id] = (await shop.earn('the first')) as [string];
  await service.database.reads.query(
    `insert into rewards (project_id, id, number, program_id, rule_id, terms_version_id, event_id,
       beneficiary_role, beneficiary_participant_id, benefit_kind, amount_minor, net_amount_minor,
       currency, currency_exponent, method, earned_at, available_at, fulfillment_status,
       delivery_status, delivery_reason, arithmetic, created_at, updated_at)
     select project_id, id || '_' || n, 1 + n, program_id, rule_id, terms_version_id,
       event_id || '_' || n, beneficiary_role, ${participantOf}, benefit_kind, amount_minor,
       net_amount_minor, currency, currency_exponent, method, earned_at, available_at,
       fulfillment_status, delivery_status, delivery_reason, arithmetic, created_at, updated_at
     from rewards cross join generate_series(1, $3::integer) as n
     where project_id = $1 and id = $2`,
    [projectId, id, copies],
  );
}

/** As many more participants like ada: hers and `_1` and so on are their ids. */
export async function copyAda(
  service: TestService,
  { project, adaId }: PayoutShop,
  copies: number,
): Promise<void> {
  await service.database.reads.query(
    `insert into participants (project_id, id, number, kind_number, kind, external_id,
       is_referrer, is_referee, created_at, updated_at)
     select project_id, id || '_' || n, 1000 + n, 1000 + n, kind, 'payee ' || n,
       false, false, created_at, updated_at
     from participants cross join generate_series(1, $3::integer) as n
     where project_id = $1 and id = $2`,
    [project.projectId, adaId, copies],
  );
}

export async function expectPayoutRules(service: TestService, shop: PayoutShop): Promise<void> {
  // As a store has it that was not filled a second ago.
  await service.database.reads.query('analyze rewards, payout_parts, payout_lines, payouts');
  for (const { subject, field, broken } of PAYOUT_RULES) {
    const rows = await service.database.reads.query(broken, [shop.project.projectId]);
    expect([subject, field, rows]).toEqual([subject, field, []]);
  }
}

/** What was paid for how many Rewards. */
export async function paidOf(
  service: TestService,
  { project }: PayoutShop,
): Promise<{ paid: bigint; rewards: bigint } | undefined> {
  const [row] = await service.database.reads.query<{ paid: bigint; rewards: bigint }>(
    `select sum(paid_minor)::bigint as paid, count(*) as rewards from rewards
     where project_id = $1 and fulfillment_status = 'fulfilled'`,
    [project.projectId],
  );
  return row;
}
