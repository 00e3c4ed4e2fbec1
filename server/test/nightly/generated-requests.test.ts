import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestService } from '../harness.ts';
import { sendOddRequests, startOddService } from '../send-odd-requests.ts';

const count = Number(process.env.TEST_FUZZ_REQUESTS ?? 100_000);
const seed = Number(process.env.TEST_FUZZ_SEED ?? Date.now() % 2 ** 31);

let service: TestService;
beforeAll(async () => {
  service = await startOddService();
});
afterAll(() => service.close());

test(`none of ${count} odd requests is a 500 (TEST_FUZZ_SEED=${seed})`, {
  timeout: 7_200_000,
}, async () => {
  const { statuses, faults } = await sendOddRequests(service, count, seed);
  console.log(Object.fromEntries([...statuses].sort(([one], [other]) => one - other)));
  expect(faults).toEqual([]);
});
