import { insertSearchKeys } from '../src/domain/participants/search-key-store.ts';
import type { TestProject, TestService } from './harness.ts';
import { BANK } from './payees.ts';
import { openPayoutShop, type PayoutShop } from './payout-shop.ts';

/** Shops of one Workspace, in each of which ada stands for the same Partner. */
export async function openPartnerShops(
  service: TestService,
  count: number,
  cashMinor = '1000',
): Promise<PayoutShop[]> {
  const first = await openPayoutShop(service, { cashMinor });
  const { workspaceId, key } = first.project;
  const shops = [first];
  while (shops.length < count) {
    const sibling = async () => {
      const body = { workspaceId, name: 'Another', environment: 'sandbox' };
      const { data } = (await service.call('POST', '/v1/projects', { as: 'operator', body })).body;
      return { workspaceId, key, projectId: data.id, projectKey: data.projectKey };
    };
    const beside = {
      ...service,
      newProject: sibling,
      copyProject: async (one: TestProject) => one,
    };
    shops.push(await openPayoutShop(beside, { cashMinor }));
  }
  const partnerId = `ptn_of_${workspaceId}`;
  await service.database.reads.query(
    `insert into partners (id, workspace_id, environment, name, email, email_key,
       email_verified_at, profile_type, status, created_at, updated_at)
     values ($1, $2, 'sandbox', 'Ada Lovelace', 'ada@example.com', $1, $3, 'individual',
       'active', $3, $3)`,
    [partnerId, workspaceId, service.clock.now],
  );
  for (const { adaId, project } of shops) {
    await service.database.reads.query(
      `update participants set external_id = null, partner_id = $3
       where project_id = $1 and id = $2`,
      [project.projectId, adaId, partnerId],
    );
    // What is stored of Partners alone.
    await service.database.reads.query(
      `insert into figures (project_id, subject, part, numbers)
       select project_id, referrer_participant_id || ':' || program_id,
         to_char(selected_at at time zone 'UTC', 'YYYY-MM-DD'),
         jsonb_build_object('referrals', count(*)::text)
       from referrals where project_id = $1 and referrer_participant_id = $2
       group by 1, 2, 3`,
      [project.projectId, adaId],
    );
    const ada = { id: adaId, name: 'Ada Lovelace', email: 'ada@example.com', partnerId };
    await service.database.transaction(async (tx) => {
      insertSearchKeys(tx, project.projectId, [ada]);
    });
    service.payees.set(adaId, BANK);
  }
  return shops;
}
