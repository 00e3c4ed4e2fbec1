import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openService, startService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
let programId: string;
let applicants = 0;

beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  // The pages are limited per address and minute.
  service.clock.advance(60_000);
  project = await service.newProject();
  programId = await newProgram();
});

async function newProgram(
  kind = 'affiliate',
  { isOpen = true, isActive = true }: { isOpen?: boolean; isActive?: boolean } = {},
): Promise<string> {
  const { projectId, key } = project;
  const landing = { brandConfig: { landingPageUrl: 'https://shop.example.com' } };
  const made = await service.call('POST', '/v1/programs', {
    as: key,
    body: {
      projectId,
      kind,
      name: 'Friends & Partners',
      config: isOpen ? { ...landing, partnerApplicationsOpen: true } : landing,
    },
  });
  expect(made.status).toBe(200);
  if (isActive) await setStatus(made.body.data.id, 'active');
  return made.body.data.id;
}

async function setStatus(program: string, status: string): Promise<void> {
  const { projectId, key } = project;
  const answer = await service.call('POST', `/v1/programs/${program}/status`, {
    as: key,
    body: { projectId, status },
  });
  expect(answer.status).toBe(200);
}

function newEmail(): string {
  applicants += 1;
  return `ada${applicants}@example.com`;
}

const apply = (fields: Record<string, unknown> = {}) =>
  service.call('POST', '/v1/partner-applications', {
    body: {
      projectId: project.projectId,
      programId,
      name: 'Ada Example',
      email: newEmail(),
      profileType: 'individual',
      ...fields,
    },
  });

const list = (query: Record<string, string | number> = {}, as: string = project.key) =>
  service.call('GET', '/v1/partner-applications', {
    as,
    query: { projectId: project.projectId, ...query },
  });

const decide = (id: string, decision: 'approve' | 'reject', fields: object = {}) =>
  service.call('POST', `/v1/partner-applications/${id}/${decision}`, {
    as: project.key,
    body: { projectId: project.projectId, ...fields },
  });

const page = (token: string) =>
  fetch(`${service.url}/partner-applications/verify?token=${encodeURIComponent(token)}`);
const send = (form: Record<string, string>) =>
  fetch(`${service.url}/partner-applications/verify`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
/** Opens the page and presses its button, if it has one. */
async function press(token: string): Promise<Response> {
  return send({ token, digest: digestIn(await (await page(token)).text()) });
}
function digestIn(html: string): string {
  return /name="digest" value="([^"]*)"/.exec(html)?.[1] ?? '';
}

const erase = (id: string) =>
  service.call('DELETE', `/v1/partner-applications/${id}`, {
    as: project.key,
    query: { projectId: project.projectId },
  });

async function find(id: string) {
  const { body } = await list();
  return body.data.find((application: { id: string }) => application.id === id);
}

async function tokenOf(id: string): Promise<string> {
  const { verificationUrl } = await find(id);
  return new URL(verificationUrl).searchParams.get('token') as string;
}

async function applyAndProve(fields: Record<string, unknown> = {}): Promise<string> {
  const { id } = (await apply(fields)).body.data;
  expect((await press(await tokenOf(id))).status).toBe(200);
  return id;
}

async function newKey(permissions: string[]): Promise<string> {
  const answer = await service.call('POST', '/v1/api-keys', {
    as: 'operator',
    body: { workspaceId: project.workspaceId, environment: 'sandbox', name: 'K', permissions },
  });
  return answer.body.key;
}

async function rowsOf<R>(sql: string, params: unknown[] = []): Promise<R[]> {
  return service.database.transaction((tx) => tx.query<R>(sql, params));
}

describe('from application to partner', () => {
  test('an applicant applies, proves the e-mail, is approved and joins the Program (D-PROG-7, D-PAY-5)', async () => {
    const email = newEmail();
    const applied = await apply({
      email,
      profileType: 'company',
      companyName: 'Example Reviews Ltd',
      country: 'gb',
      website: 'https://reviews.example.com',
      message: 'Hello',
    });
    expect(applied.status).toBe(200);
    const { id } = applied.body.data;
    expect(applied.body.data).toEqual({ id, programId, status: 'pending' });
    expect(id).toMatch(/^preq_[0-9a-z]{26}$/);

    const pending = await find(id);
    const appliedAt = service.clock.now;
    expect(pending).toEqual({
      id,
      projectId: project.projectId,
      programId,
      status: 'pending',
      name: 'Ada Example',
      email,
      emailVerifiedAt: null,
      profileType: 'company',
      companyName: 'Example Reviews Ltd',
      country: 'GB',
      website: 'https://reviews.example.com',
      message: 'Hello',
      createdAt: appliedAt,
      updatedAt: appliedAt,
      decidedAt: null,
      decidedBy: null,
      rejectionReason: null,
      participantId: null,
      verificationUrl: expect.stringMatching(
        /^https:\/\/refer\.example\.com\/partner-applications\/verify\?token=/,
      ),
    });

    const early = await decide(id, 'approve');
    expect(early.status).toBe(409);
    expect(early.body.error.reason).toBe('invalid_transition');
    expect(
      await rowsOf('select 1 from partners where workspace_id = $1', [project.workspaceId]),
    ).toHaveLength(0);

    service.clock.advance(1_000);
    const provenAt = service.clock.now;
    expect((await press(await tokenOf(id))).status).toBe(200);
    expect(await find(id)).toMatchObject({ emailVerifiedAt: provenAt, verificationUrl: null });

    service.clock.advance(1_000);
    const approved = await decide(id, 'approve');
    expect(approved.status).toBe(200);
    const { participantId } = approved.body.data;
    expect(approved.body.data).toEqual({
      partnerRequestId: id,
      programId,
      participantId: expect.stringMatching(/^par_/),
      status: 'approved',
      decidedAt: service.clock.now,
      decidedBy: expect.stringMatching(/^key:key_/),
    });
    expect(await find(id)).toMatchObject({
      status: 'approved',
      participantId,
      decidedAt: service.clock.now,
      decidedBy: approved.body.data.decidedBy,
    });

    const feed = await service.call('GET', '/v1/webhook-events', {
      as: project.key,
      query: { projectId: project.projectId },
    });
    expect(feed.body.events.map((event: { type: string }) => event.type)).toEqual([
      'participant.created',
    ]);
    expect(feed.body.events[0].data).toEqual({
      participant: { participantId, kind: 'group', externalId: null },
    });

    const detail = await service.call('GET', `/v1/participants/${participantId}`, {
      as: project.key,
      query: { projectId: project.projectId },
    });
    expect(detail.body.data.participant).toMatchObject({ externalId: null, kind: 'group' });
    expect(detail.body.data.enrollments).toMatchObject([{ programId, endsAt: null }]);
    expect(detail.body.data.refCodes).toHaveLength(1);
    expect(detail.body.data.links).toHaveLength(1);
    const partners = await rowsOf(
      'select id, environment, name, email, email_key, profile_type, country, status from partners where workspace_id = $1',
      [project.workspaceId],
    );
    expect(partners).toEqual([
      {
        id: detail.body.data.participant.partnerId,
        environment: 'sandbox',
        name: 'Ada Example',
        email,
        email_key: email,
        profile_type: 'company',
        country: 'GB',
        status: 'active',
      },
    ]);
  });

  test('approving again answers the same and makes nothing more', async () => {
    const id = await applyAndProve();
    const first = await decide(id, 'approve');
    service.clock.advance(5_000);
    const again = await decide(id, 'approve');
    expect(again.body).toEqual(first.body);
    await setStatus(programId, 'ended');
    expect((await decide(id, 'approve')).body).toEqual(first.body);
  });

  test('one address is one Partner and one participant over several Programs', async () => {
    const email = newEmail();
    const first = await decide(await applyAndProve({ email }), 'approve');
    programId = await newProgram();
    const second = await decide(await applyAndProve({ email: email.toUpperCase() }), 'approve');
    expect(second.body.data.participantId).toBe(first.body.data.participantId);
    expect(
      await rowsOf('select 1 from partners where workspace_id = $1', [project.workspaceId]),
    ).toHaveLength(1);
  });

  test('a company’s name stands in its link, a person’s never does', async () => {
    const slugsOf = async (fields: object) => {
      const { participantId } = (await decide(await applyAndProve({ ...fields }), 'approve')).body
        .data;
      const { body } = await service.call('GET', `/v1/participants/${participantId}`, {
        as: project.key,
        query: { projectId: project.projectId },
      });
      return body.data.links.map((link: { slug: string }) => link.slug);
    };
    const company = { profileType: 'company', companyName: 'Zoë & Sons' };
    expect(await slugsOf(company)).toEqual(['zoe-sons']);
    for (const fields of [{}, { companyName: 'Ada Example Ltd' }]) {
      expect(await slugsOf(fields)).toEqual([expect.stringMatching(/^[2-9a-hjkmnp-z]{8}$/)]);
    }
  });

  test('a Partner that is erased between the two steps of an approval is not let in; again makes it anew', async () => {
    const email = newEmail();
    const id = await applyAndProve({ email });
    const { writer } = service;
    const run = writer.run.bind(writer);
    // As an erasure that comes in between leaves it.
    writer.run = async (request, body) => {
      writer.run = run;
      await rowsOf(
        `update partners set name = null, email = null, email_key = 'erased_' || id,
           erased_at = created_at where workspace_id = $1`,
        [project.workspaceId],
      );
      return run(request, body);
    };
    const refused = await decide(id, 'approve');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    const approved = await decide(id, 'approve');
    expect(approved.status).toBe(200);
    expect(
      await rowsOf(
        `select partners.email from partners join participants on partner_id = partners.id
         where participants.project_id = $1 and participants.id = $2`,
        [project.projectId, approved.body.data.participantId],
      ),
    ).toEqual([{ email }]);
  });

  test('a crash after the Partner was made is mended by approving again', async () => {
    const email = newEmail();
    const id = await applyAndProve({ email });
    const now = service.clock.now;
    await rowsOf(
      `insert into partners (id, workspace_id, environment, name, email, email_key,
         email_verified_at, profile_type, country, status, created_at, updated_at)
       values ($4, $1, 'sandbox', 'Ada', $2, $2, $3, 'individual', null, 'active', $3, $3)`,
      [project.workspaceId, email, now, `ptn_${project.projectId}`],
    );
    const approved = await decide(id, 'approve');
    expect(approved.status).toBe(200);
    expect(
      await rowsOf('select partner_id from participants where project_id = $1 and id = $2', [
        project.projectId,
        approved.body.data.participantId,
      ]),
    ).toEqual([{ partner_id: `ptn_${project.projectId}` }]);
  });

  test('a suspended Partner is not let in again, also when it is suspended between the two steps', async () => {
    const suspend = () =>
      rowsOf(`update partners set status = 'suspended' where workspace_id = $1`, [
        project.workspaceId,
      ]);
    const { writer } = service;
    const run = writer.run.bind(writer);
    const id = await applyAndProve();
    writer.run = async (request, body) => {
      writer.run = run;
      await suspend();
      return run(request, body);
    };
    for (const refused of [await decide(id, 'approve'), await decide(id, 'approve')]) {
      expect(refused.status).toBe(409);
      expect(refused.body.error.reason).toBe('invalid_transition');
    }
    expect((await find(id)).status).toBe('pending');
  });

  test('nobody joins a Program that ended meanwhile, and no Partner is left behind', async () => {
    const id = await applyAndProve();
    await setStatus(programId, 'ended');
    const refused = await decide(id, 'approve');
    expect(refused.status).toBe(409);
    expect(refused.body.error.reason).toBe('program_not_open');
    expect((await find(id)).status).toBe('pending');
    expect(
      await rowsOf('select 1 from partners where workspace_id = $1', [project.workspaceId]),
    ).toHaveLength(0);
  });
});

test('whether the Program is still open is decided by the Project’s own time', async () => {
  const id = await applyAndProve();
  const { projectId, key } = project;
  const inHours = (hours: number) =>
    new Date(service.clock.nowMs() + hours * 3_600_000).toISOString();
  const changed = await service.call('PATCH', `/v1/programs/${programId}`, {
    as: key,
    body: { projectId, endDate: inHours(1) },
  });
  expect(changed.status).toBe(200);
  // As another process left it, whose clock is ahead of this one's.
  await rowsOf('update project_heads set last_at = $2 where project_id = $1', [
    projectId,
    inHours(2),
  ]);
  expect((await decide(id, 'approve')).body.error.reason).toBe('program_not_open');
  expect((await find(id)).status).toBe('pending');
});

describe('rejecting', () => {
  test('works before the proof, keeps the first reason, and closes the link', async () => {
    const { id } = (await apply()).body.data;
    const token = await tokenOf(id);
    const rejected = await decide(id, 'reject', { reason: 'Not a fit.' });
    expect(rejected.status).toBe(200);
    expect(rejected.body.data).toMatchObject({
      partnerRequestId: id,
      status: 'rejected',
      participantId: null,
    });
    expect((await find(id)).rejectionReason).toBe('Not a fit.');
    const again = await decide(id, 'reject', { reason: 'Something else.' });
    expect(again.body).toEqual(rejected.body);
    expect((await decide(id, 'approve')).body.error.reason).toBe('application_decided');
    expect((await page(token)).status).toBe(410);
    expect((await press(token)).status).toBe(410);
    expect(await find(id)).toMatchObject({
      emailVerifiedAt: null,
      verificationUrl: null,
      rejectionReason: 'Not a fit.',
    });
  });

  test('the reason is in no answer that is kept for an Idempotency-Key', async () => {
    const { id } = (await apply()).body.data;
    await service.call('POST', `/v1/partner-applications/${id}/reject`, {
      as: project.key,
      body: { projectId: project.projectId, reason: 'Ada was rude.' },
      headers: { 'idempotency-key': 'k' },
    });
    const kept = await rowsOf<{ answer: unknown }>(
      'select answer from idempotency_keys where project_id = $1',
      [project.projectId],
    );
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain('rude');
  });

  test('an approved application cannot be rejected', async () => {
    const id = await applyAndProve();
    await decide(id, 'approve');
    const refused = await decide(id, 'reject');
    expect(refused.status).toBe(409);
    expect(refused.body.error.reason).toBe('application_decided');
    expect((await find(id)).status).toBe('approved');
  });

  test('decisions are in the audit log, without the applicant’s data', async () => {
    const email = newEmail();
    await decide(await applyAndProve({ email, message: 'my secret words' }), 'approve');
    await decide((await apply()).body.data.id, 'reject', { reason: 'my secret words' });
    const { body } = await service.call('GET', '/v1/audit-log', {
      as: 'operator',
      query: { workspaceId: project.workspaceId },
    });
    const actions = body.data.map((entry: { action: string }) => entry.action);
    expect(actions).toContain('partner_application.approve');
    expect(actions).toContain('partner_application.reject');
    expect(JSON.stringify(body)).not.toContain(email);
    expect(JSON.stringify(body)).not.toContain('secret words');
  });
});

describe('what strangers learn', () => {
  test('until the proof a repeat has the same answer, and the last word counts', async () => {
    const email = newEmail();
    const first = await apply({ email, name: 'Ada', message: 'Hello' });
    service.clock.advance(5_000);
    const typed = email.replace('@', '+shop@').toUpperCase();
    const later = {
      name: 'Ada Example',
      profileType: 'company',
      companyName: 'Ada Ltd',
      country: 'DE',
      website: 'https://ada.example.com',
    };
    const again = await apply({ email: typed, ...later });
    expect(again.status).toBe(first.status);
    expect(again.body).toEqual(first.body);
    const { body } = await list();
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({
      ...later,
      message: null,
      email: typed,
      updatedAt: service.clock.now,
    });
  });

  test('after the proof a repeat has the same answer and changes nothing', async () => {
    const email = newEmail();
    const id = await applyAndProve({ email, name: 'Ada' });
    const proven = await find(id);
    service.clock.advance(5_000);
    const again = await apply({ email: email.replace('@', '+x@'), name: 'Mallory' });
    expect(again.body.data).toEqual({ id, programId, status: 'pending' });
    expect(await find(id)).toEqual(proven);
  });

  test('after a decision the same address may apply anew', async () => {
    const email = newEmail();
    const first = (await apply({ email })).body.data.id;
    await decide(first, 'reject');
    const second = (await apply({ email })).body.data;
    expect(second.status).toBe('pending');
    expect(second.id).not.toBe(first);
    expect((await apply({ email })).body.data.id).toBe(second.id);
  });

  test('ten of the same at once leave one application', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 10 }, () => apply({ email })));
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1);
    expect((await list()).body.data).toHaveLength(1);
    expect(await unproven()).toEqual({ counted: 1, kept: 1 });
  });

  test('at the limit of unproven ones a new applicant takes the place of who has waited longest', async () => {
    const emails = [newEmail(), newEmail(), newEmail()] as const;
    for (const email of emails) {
      await apply({ email });
      service.clock.advance(1_000);
    }
    // The first of them applies again, and so has waited least.
    await apply({ email: emails[0] });
    const proven = await applyAndProve();
    await rowsOf('update partner_application_counts set unproven = 1000 where project_id = $1', [
      project.projectId,
    ]);
    const other = programId;
    programId = await newProgram();
    const elsewhere = (await apply()).body.data.id;
    programId = other;
    service.clock.advance(1_000);
    const last = await apply();
    expect(last.status).toBe(200);
    const { body } = await list();
    const kept = body.data.map((one: { id: string; email: string }) => one.email);
    expect(kept).not.toContain(emails[1]);
    expect(kept).toEqual(expect.arrayContaining([emails[0], emails[2]]));
    const ids = body.data.map((one: { id: string }) => one.id);
    expect(ids).toEqual(expect.arrayContaining([proven, elsewhere, last.body.data.id]));
    expect(ids).toHaveLength(5);
    expect(
      await rowsOf(
        'select unproven from partner_application_counts where project_id = $1 and program_id = $2',
        [project.projectId, programId],
      ),
    ).toEqual([{ unproven: 1000 }]);
  });

  test('twenty applicants at once at the limit are all taken, and the count stays right', async () => {
    await Promise.all(Array.from({ length: 30 }, () => apply()));
    await rowsOf('update partner_application_counts set unproven = 1000 where project_id = $1', [
      project.projectId,
    ]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => apply()));
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    const { counted, kept } = (await unproven()) as { counted: number; kept: number };
    expect(kept - 1000).toBe(counted - 30);
    expect(counted).toBeLessThan(50);
  });

  test('the count of unproven applications is right after every way out', async () => {
    const ids = await Promise.all(
      Array.from({ length: 4 }, async () => (await apply()).body.data.id as string),
    );
    expect(await unproven()).toEqual({ counted: 4, kept: 4 });
    const token = await tokenOf(ids[0] as string);
    await Promise.all([press(token), press(token), press(token)]);
    await decide(ids[1] as string, 'reject');
    await decide(ids[0] as string, 'reject');
    expect(await unproven()).toEqual({ counted: 2, kept: 2 });
    await erase(ids[2] as string);
    await erase(ids[2] as string);
    await erase(ids[1] as string);
    expect(await unproven()).toEqual({ counted: 1, kept: 1 });
  });

  async function unproven() {
    const [row] = await rowsOf<{ counted: number; kept: number }>(
      `select (select count(*)::int from partner_applications
               where project_id = $1 and status = 'pending' and email_verified_at is null) as counted,
              (select sum(unproven)::int from partner_application_counts
               where project_id = $1) as kept`,
      [project.projectId],
    );
    return row;
  }
});

describe('erasing an application', () => {
  const facts = {
    name: 'Ada Unforgotten',
    companyName: 'Unforgotten Ltd',
    website: 'https://unforgotten.example.com',
    message: 'unforgotten words',
  };
  const BLANK = {
    name: null,
    email: null,
    companyName: null,
    website: null,
    message: null,
    rejectionReason: null,
    verificationUrl: null,
  };

  test('withdraws what is pending, blanks it and closes its link; a repeat gives the same', async () => {
    const { id } = (await apply(facts)).body.data;
    const token = await tokenOf(id);
    const erased = await erase(id);
    expect(erased.status).toBe(200);
    expect(erased.body.data).toEqual({
      partnerRequestId: id,
      programId,
      participantId: null,
      status: 'withdrawn',
      decidedAt: service.clock.now,
      decidedBy: expect.stringMatching(/^key:key_/),
    });
    expect(await find(id)).toMatchObject({ ...BLANK, status: 'withdrawn' });
    expect((await page(token)).status).toBe(400);
    service.clock.advance(1_000);
    expect((await erase(id)).body).toEqual(erased.body);
    expect((await decide(id, 'reject')).body.error.reason).toBe('application_decided');
    const audit = await service.call('GET', '/v1/audit-log', {
      as: 'operator',
      query: { workspaceId: project.workspaceId },
    });
    const entries = audit.body.data.filter(
      ({ action }: { action: string }) => action === 'partner_application.erase',
    );
    expect(entries).toMatchObject([{ targetId: id }]);
    expect(JSON.stringify(audit.body)).not.toMatch(/unforgotten/i);
  });

  test('a rejected one stays rejected, without what was said in it and of it', async () => {
    const { id } = (await apply(facts)).body.data;
    const rejected = await decide(id, 'reject', { reason: 'Ada was rude.' });
    service.clock.advance(1_000);
    expect((await erase(id)).body).toEqual(rejected.body);
    expect(await find(id)).toMatchObject({ ...BLANK, status: 'rejected' });
    const rows = await rowsOf('select a::text from partner_applications a where project_id = $1', [
      project.projectId,
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/unforgotten|rude|@/i);
  });

  test('an approved one is refused and names the participant to erase', async () => {
    const id = await applyAndProve(facts);
    const { participantId } = (await decide(id, 'approve')).body.data;
    const before = await find(id);
    const refused = await erase(id);
    expect([refused.status, refused.body.error.reason]).toEqual([409, 'application_decided']);
    expect(refused.body.error.message).toContain(participantId);
    expect(await find(id)).toEqual(before);
  });

  test('takes a Partner with it that an approval had half made, and no other', async () => {
    const [email, partnerEmail] = [newEmail(), newEmail()];
    const half = await applyAndProve({ email });
    await decide(await applyAndProve({ email: partnerEmail }), 'approve');
    programId = await newProgram();
    const second = await applyAndProve({ email: partnerEmail });
    await rowsOf(
      `insert into partners (id, workspace_id, environment, name, email, email_key,
         email_verified_at, profile_type, country, status, created_at, updated_at)
       values ($4, $1, 'sandbox', 'Ada', $2, $2, $3, 'individual', null, 'active', $3, $3)`,
      [project.workspaceId, email, service.clock.now, `ptn_half_${project.projectId}`],
    );
    await erase(half);
    await erase(second);
    expect(
      await rowsOf('select email from partners where workspace_id = $1 order by email', [
        project.workspaceId,
      ]),
    ).toEqual([{ email: partnerEmail }, { email: null }]);
  });

  test('is for those who may approve, and 404 for what is not there', async () => {
    const { id } = (await apply()).body.data;
    const refused = await service.call('DELETE', `/v1/partner-applications/${id}`, {
      as: await newKey(['partners:read']),
      query: { projectId: project.projectId },
    });
    expect(refused.status).toBe(403);
    expect((await erase('preq_unknown')).status).toBe(404);
    project = await service.newProject();
    expect((await erase(id)).status).toBe(404);
  });
});

describe('which applications are taken', () => {
  test('only those to an affiliate Program that is active and open for them (D-PROG-5)', async () => {
    const reasonFor = async (program: string) => {
      programId = program;
      const { status, body } = await apply();
      return [status, body.error?.reason];
    };
    expect(await reasonFor('prg_unknown')).toEqual([404, null]);
    expect(await reasonFor(await newProgram('referral', { isOpen: false }))).toEqual([400, null]);
    expect(await reasonFor(await newProgram('affiliate', { isActive: false }))).toEqual([
      409,
      'program_not_open',
    ]);
    expect(await reasonFor(await newProgram('affiliate', { isOpen: false }))).toEqual([
      409,
      'program_not_open',
    ]);
    const paused = await newProgram();
    await setStatus(paused, 'paused');
    expect(await reasonFor(paused)).toEqual([409, 'program_not_open']);
  });

  test('bad fields are named', async () => {
    const pathFor = async (fields: Record<string, unknown>) => {
      const { status, body } = await apply(fields);
      return [status, body.error.details[0].path];
    };
    expect(await pathFor({ email: 'a@b.example, c@d.example' })).toEqual([400, 'email']);
    expect(await pathFor({ profileType: 'company' })).toEqual([400, 'companyName']);
    expect(await pathFor({ country: 'XX' })).toEqual([400, 'country']);
    expect(await pathFor({ website: 'javascript:alert(1)' })).toEqual([400, 'website']);
    expect(await pathFor({ message: 'x'.repeat(2_001) })).toEqual([400, 'message']);
    expect(await pathFor({ name: ' ' })).toEqual([400, 'name']);
    expect(await pathFor({ nickname: 'x' })).toEqual([400, 'nickname']);
  });

  test('another Project’s application is not there', async () => {
    const { id } = (await apply()).body.data;
    project = await service.newProject();
    expect((await decide(id, 'approve')).status).toBe(404);
    expect((await decide(id, 'reject')).status).toBe(404);
  });
});

describe('the list', () => {
  test('pages newest first without gap or repeat, for every filter', async () => {
    const first = programId;
    const second = await newProgram();
    const made: { id: string; programId: string; status: string }[] = [];
    for (let index = 0; index < 12; index += 1) {
      programId = index % 3 === 0 ? second : first;
      const { id } = (await apply()).body.data;
      const status = index % 2 === 0 ? 'rejected' : 'pending';
      if (status === 'rejected') await decide(id, 'reject');
      made.unshift({ id, programId, status });
      // Some share their moment with the next.
      if (index % 4 !== 0) service.clock.advance(1);
    }
    for (const filter of [
      {},
      { programId: first },
      { status: 'pending' },
      { programId: second, status: 'rejected' },
    ]) {
      const expected = made.filter(
        (one) =>
          (filter.programId === undefined || one.programId === filter.programId) &&
          (filter.status === undefined || one.status === filter.status),
      );
      const seen: { id: string; createdAt: string }[] = [];
      let cursor: string | null = null;
      do {
        const query: Record<string, string | number> = { ...filter, limit: 3 };
        if (cursor !== null) query.cursor = cursor;
        const { body } = await list(query);
        seen.push(...body.data);
        cursor = body.nextCursor;
      } while (cursor !== null);
      expect(seen.map((one) => one.id).sort()).toEqual(expected.map((one) => one.id).sort());
      const times = seen.map((one) => one.createdAt);
      expect(times).toEqual([...times].sort().reverse());
    }
  });

  test('an unknown Program is 404, a foreign cursor 400', async () => {
    expect((await list({ programId: 'prg_unknown' })).status).toBe(404);
    expect((await list({ cursor: 'bm90IGEgY3Vyc29y' })).status).toBe(400);
    expect((await list({ status: 'lost' })).status).toBe(400);
  });

  test('the link is for those who may approve, and for nobody else', async () => {
    const { id } = (await apply()).body.data;
    const reader = await newKey(['partners:read']);
    expect((await list({}, reader)).body.data[0]).toMatchObject({ id, verificationUrl: null });
    expect((await list({}, 'operator')).body.data[0].verificationUrl).toContain('token=');
    const stranger = await newKey(['participants:read']);
    expect((await list({}, stranger)).status).toBe(403);
    const refused = await service.call('POST', `/v1/partner-applications/${id}/reject`, {
      as: reader,
      body: { projectId: project.projectId },
    });
    expect(refused.status).toBe(403);
  });
});

describe('races', () => {
  test('ten approvals at once make one Partner and one participant, with one answer', async () => {
    const id = await applyAndProve();
    const answers = await Promise.all(Array.from({ length: 10 }, () => decide(id, 'approve')));
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(
      await rowsOf('select 1 from partners where workspace_id = $1', [project.workspaceId]),
    ).toHaveLength(1);
    expect(
      await rowsOf('select 1 from participants where project_id = $1', [project.projectId]),
    ).toHaveLength(1);
  });

  test('a Partner that is erased in one Project while it joins another is whole or not there', async () => {
    const here = project;
    const made = await service.call('POST', '/v1/projects', {
      as: 'operator',
      body: { workspaceId: here.workspaceId, name: 'Second', environment: 'sandbox' },
    });
    const beside = { ...here, projectId: made.body.data.id };
    const hereProgram = programId;
    project = beside;
    const besideProgram = await newProgram();
    for (let round = 0; round < 8; round += 1) {
      const email = newEmail();
      [project, programId] = [here, hereProgram];
      const first = (await decide(await applyAndProve({ email }), 'approve')).body.data;
      [project, programId] = [beside, besideProgram];
      const id = await applyAndProve({ email });
      const [erased, approved] = await Promise.all([
        service.call('DELETE', `/v1/participants/${first.participantId}`, {
          as: here.key,
          query: { projectId: here.projectId },
        }),
        decide(id, 'approve'),
      ]);
      expect(erased.status).toBe(200);
      expect([200, 503]).toContain(approved.status);
      expect((await decide(id, 'approve')).status).toBe(200);
    }
    const joined = await rowsOf<{ isErased: boolean }>(
      `select erased_at is not null as "isErased" from partners
       join participants on partner_id = partners.id
       where participants.project_id = $1 and deleted_at is null`,
      [beside.projectId],
    );
    expect(joined).toEqual(Array(8).fill({ isErased: false }));
  });

  test('of approving and rejecting at once exactly one wins', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await applyAndProve();
      const [approved, rejected] = await Promise.all([decide(id, 'approve'), decide(id, 'reject')]);
      expect([approved.status, rejected.status].sort()).toEqual([200, 409]);
      const loser = approved.status === 409 ? approved : rejected;
      expect(loser.body.error.reason).toBe('application_decided');
      expect((await find(id)).status).toBe(approved.status === 200 ? 'approved' : 'rejected');
    }
  });
});

describe('the pages', () => {
  test('opening the link proves nothing; pressing the button does, and again is fine', async () => {
    const email = newEmail();
    const { id } = (await apply({ email })).body.data;
    const token = await tokenOf(id);
    const asked = await page(token);
    expect(asked.status).toBe(200);
    const html = await asked.text();
    expect(html).toContain('Friends &amp; Partners');
    expect(html).toContain(email);
    expect(html).toContain(`name="token" value="${token}"`);
    await page(token);
    expect((await send({ token })).status).toBe(409);
    expect((await find(id)).emailVerifiedAt).toBeNull();

    const thanked = await press(token);
    expect(thanked.status).toBe(200);
    expect(await thanked.text()).toContain('Thank you');
    const { emailVerifiedAt } = await find(id);
    expect(emailVerifiedAt).toBe(service.clock.now);
    service.clock.advance(5_000);
    expect((await press(token)).status).toBe(200);
    expect(await (await page(token)).text()).toContain('Thank you');
    expect((await find(id)).emailVerifiedAt).toBe(emailVerifiedAt);
  });

  test('the page shows what is confirmed, and is shown anew if that changed meanwhile', async () => {
    const email = newEmail();
    const first = { name: 'Ada Example', profileType: 'company', companyName: 'Ada & Co' };
    const { id } = (await apply({ email, ...first })).body.data;
    const token = await tokenOf(id);
    const html = await (await page(token)).text();
    for (const text of ['Friends &amp; Partners', email, 'Ada Example', 'Ada &amp; Co']) {
      expect(html).toContain(text);
    }
    expect(html).not.toContain('Website');

    const website = 'https://evil.example.com';
    await apply({ email, ...first, name: 'Mallory', website });
    const again = await send({ token, digest: digestIn(html) });
    expect(again.status).toBe(409);
    const shown = await again.text();
    for (const text of ['Mallory', website, 'sent again']) expect(shown).toContain(text);
    expect((await find(id)).emailVerifiedAt).toBeNull();

    expect((await send({ token, digest: digestIn(shown) })).status).toBe(200);
    expect(await find(id)).toMatchObject({
      name: 'Mallory',
      emailVerifiedAt: service.clock.now,
    });
  });

  test('what changes unseen is not confirmed either', async () => {
    const email = newEmail();
    const { id } = (await apply({ email, message: 'Hello' })).body.data;
    const token = await tokenOf(id);
    const digest = digestIn(await (await page(token)).text());
    await apply({ email, message: 'Something else' });
    expect((await send({ token, digest })).status).toBe(409);
    expect((await find(id)).emailVerifiedAt).toBeNull();
  });

  test('a link proves the address it was made for, and none of the same mailbox', async () => {
    const email = newEmail();
    const { id } = (await apply({ email })).body.data;
    const token = await tokenOf(id);
    await apply({ email: email.replace('@', '+other@') });
    expect((await page(token)).status).toBe(400);
    expect((await press(token)).status).toBe(400);
    expect((await press(await tokenOf(id))).status).toBe(200);
    expect((await find(id)).email).toBe(email.replace('@', '+other@'));
  });

  test('an old, forged or missing token gets a clear page and 400', async () => {
    const { id } = (await apply()).body.data;
    const token = await tokenOf(id);
    service.clock.advance(7 * 24 * 3_600_000);
    for (const bad of [token, `${token.slice(0, -1)}`, 'x', '']) {
      for (const answer of [await page(bad), await press(bad)]) {
        expect(answer.status).toBe(400);
        expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(await answer.text()).toContain('This link does not work');
      }
    }
    expect((await find(id)).emailVerifiedAt).toBeNull();
  });

  test('no page is cached, framed, scripted or told to others', async () => {
    const { id } = (await apply()).body.data;
    const token = await tokenOf(id);
    for (const answer of [await page(token), await press(token), await page('x')]) {
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'/,
      );
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    }
  });

  test('the form takes nothing but a small form', async () => {
    const post = (type: string, body: string) =>
      fetch(`${service.url}/partner-applications/verify`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
    expect((await post('application/json', '{"token":"x"}')).status).toBe(415);
    const form = 'application/x-www-form-urlencoded';
    expect((await post(form, `token=${'x'.repeat(5_000)}`)).status).toBe(413);
    const api = await fetch(`${service.url}/v1/partner-applications`, {
      method: 'POST',
      headers: { 'content-type': form },
      body: 'name=x',
    });
    expect(api.status).toBe(415);
  });

  test('are limited per address, and say so', async () => {
    const answers: Response[] = [];
    for (let view = 0; view < 61; view += 1) answers.push(await page('x'));
    expect(answers.slice(0, 60).every((answer) => answer.status === 400)).toBe(true);
    const last = answers[60] as Response;
    expect(last.status).toBe(429);
    expect(last.headers.get('retry-after')).toBe('1');
    expect(last.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await last.text()).toContain('Wait a minute');
  });
});

test('applications are limited per address', async () => {
  const strict = await startService({ settings: { applicationsPerMinute: 2 } });
  try {
    const there = await strict.newProject();
    const send = () =>
      strict.call('POST', '/v1/partner-applications', { body: { projectId: there.projectId } });
    expect([(await send()).status, (await send()).status, (await send()).status]).toEqual([
      400, 400, 429,
    ]);
  } finally {
    await strict.close();
  }
});

test('no log line has a link, a token or an address of an applicant', async () => {
  const email = newEmail();
  const { id } = (await apply({ email, name: 'Ada Unlogged' })).body.data;
  const token = await tokenOf(id);
  await page(token);
  await press(token);
  await page(`${token}x`);
  await decide(id, 'approve');
  const log = service.log.join('\n');
  expect(log).toContain('/partner-applications/verify');
  for (const secret of [token, token.split('.')[3] as string, 'token=', email, 'Ada Unlogged']) {
    expect(log).not.toContain(secret);
  }
});
