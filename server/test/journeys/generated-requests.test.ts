import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestService } from '../harness.ts';
import { rounds } from '../rounds.ts';
import { sendOddRequests, startOddService } from '../send-odd-requests.ts';

let service: TestService;
beforeAll(async () => {
  service = await startOddService();
});
afterAll(() => service.close());

// Another seed each time would fail for whoever changed nothing: the nightly run looks for more.
test('no odd request makes any route fail: methods, headers, queries, bodies, callers', async () => {
  const { statuses, faults } = await sendOddRequests(service, rounds(1_000, 2_500), 2);
  expect(faults).toEqual([]);
  expect([...statuses.keys()]).toEqual(
    expect.arrayContaining([200, 400, 401, 403, 404, 405, 409, 415]),
  );
});
