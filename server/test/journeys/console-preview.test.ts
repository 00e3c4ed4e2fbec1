import { afterAll, beforeAll, expect, test } from 'vitest';
import { openService, type TestService } from '../harness.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const policyOf = async (path: string) => {
  const answer = await fetch(`${service.url}${path}`);
  const text = await answer.text();
  return { policy: answer.headers.get('content-security-policy') ?? '', text, answer };
};

test('the preview of the Widget is a page of its own, which only the console frames', async () => {
  const { policy, text, answer } = await policyOf('/console/preview.html');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/html; charset=utf-8',
  ]);
  expect(text).toContain('Widget preview');
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toContain('unsafe');
});

test('the console itself is framed by nobody', async () => {
  for (const path of ['/console', '/console/p/prj_1/programs']) {
    const { policy, text } = await policyOf(path);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("frame-src 'self'");
    expect(text).not.toContain('Widget preview');
  }
});
