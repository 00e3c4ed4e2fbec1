import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConsoleBrowser, joinConsole, PASSWORD, setUpConsole } from '../console-browser.ts';
import { findFreePort } from '../free-port.ts';
import { startService, type TestService } from '../harness.ts';

describe('a service that is reached by a loopback address', () => {
  let service: TestService;
  let origin: string;
  let owner: ConsoleBrowser;
  let workspaceId: string;
  beforeAll(async () => {
    const port = await findFreePort();
    origin = `http://127.0.0.1:${port}`;
    service = await startService({ port, settings: { baseUrl: origin, requiresTotp: true } });
    ({ browser: owner, workspaceId } = await setUpConsole(service, {
      origin,
      workspaceName: 'Acme Mugs',
    }));
  });
  afterAll(() => service.close());

  test('lets its first user set up the second factor later, in the workspace that was named', async () => {
    const { data } = (await owner.session()).body;
    expect(data).toMatchObject({ mustSetUpTotp: false, isTotpPostponed: true });
    expect(data.memberships).toMatchObject([
      { workspaceId, workspaceName: 'Acme Mugs', role: 'owner' },
    ]);
    const made = await owner.post('/v1/projects', {
      workspaceId,
      environment: 'sandbox',
      name: 'Shop',
    });
    expect(made.status).toBe(200);
  });

  test('also lets somebody who joins there', async () => {
    const email = 'grace@example.com';
    const grace = await joinConsole(owner, { workspaceId, role: 'finance', email });
    expect((await grace.session()).body.data.isTotpPostponed).toBe(true);
  });

  test('requires it of the same account as soon as the call comes through a proxy', async () => {
    const away = new ConsoleBrowser(service, origin);
    for (const [name, value] of owner.cookies) away.cookies.set(name, value);
    away.headers = { ...away.headers, 'x-forwarded-for': '192.0.2.7' };
    const session = await away.session();
    expect(session.body.data).toMatchObject({ mustSetUpTotp: true, isTotpPostponed: false });
    const refused = await away.get('/v1/audit-log', { workspaceId });
    expect([refused.status, refused.body.error.reason]).toEqual([403, 'totp_required']);
    expect((await owner.get('/v1/audit-log', { workspaceId })).status).toBe(200);
  });

  test('says nothing more once there is one', async () => {
    await owner.enableTotp();
    const session = await owner.session();
    expect(session.body.data).toMatchObject({ mustSetUpTotp: false, isTotpPostponed: false });
    expect(
      (await new ConsoleBrowser(service, origin).signIn('ada@example.com')).body,
    ).toMatchObject({ twoFactorRedirect: true });
  });
});

test('a service with a public address requires it at once, also on its own machine', async () => {
  const service = await startService();
  const { browser } = await setUpConsole(service);
  const session = await browser.session();
  expect(session.body.data).toMatchObject({ mustSetUpTotp: true, isTotpPostponed: false });
  const again = new ConsoleBrowser(service);
  await again.signIn('ada@example.com', PASSWORD);
  expect((await again.session()).body.data.mustSetUpTotp).toBe(true);
  await service.close();
});
