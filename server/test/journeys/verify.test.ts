import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyProject } from '../../src/verify/verify-project.ts';
import { startService, type TestService } from '../harness.ts';
import { fillProject, type VariedProject } from '../varied-store.ts';

let service: TestService;
let shop: VariedProject;
beforeAll(async () => {
  service = await startService();
  shop = await fillProject(service);
});
afterAll(() => service.close());

test('x', async () => {
  const { kept } = await verifyProject(service.database, shop.projectId);
  expect(kept).toEqual([]);
  console.log(
    await service.database.reads.query(
      `select (select count(*) from events) ev, (select count(*) from rewards) rw, (select count(*) from reward_adjustments) ra, (select count(*) from counters) c, (select count(*) from rewards where void is not null) v`,
    ),
  );
  console.log(
    await service.database.reads.query(
      `select benefit_kind, fulfillment_status, delivery_status, delivery_reason, count(*) from rewards group by 1,2,3,4`,
    ),
  );
  console.log(
    await service.database.reads.query(
      `select type, processing_state, processing_reason, count(*) from events group by 1,2,3`,
    ),
  );
});
