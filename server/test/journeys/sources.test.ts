import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toKey } from '../../src/domain/tracking/sources.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await openService();
});
beforeAll(async () => {
  project = await service.newProject();
});
afterAll(() => service.close());

const post = (body: object, headers?: Record<string, string>) =>
  service.call('POST', '/v1/sources', {
    as: project.key,
    body: { projectId: project.projectId, ...body },
    ...(headers ? { headers } : {}),
  });

describe('sources (D-SRC-1)', () => {
  test('an application without a name becomes the source `application`', async () => {
    const { status, body } = await post({});
    expect(status).toBe(200);
    expect(body.sourceNamespaceId).toMatch(/^src_[0-9a-z]{26}$/);
    expect(body.data).toMatchObject({
      id: body.sourceNamespaceId,
      name: 'application',
      key: 'application',
      kind: 'application',
      enabled: true,
    });
  });

  test('registering the same key twenty times at once makes one source', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post({ key: 'shop', name: `Shop ${n}` })),
    );
    expect(new Set(answers.map(({ body }) => body.sourceNamespaceId)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.data.name)).size).toBe(1);
  });

  test('the key comes from the name', () => {
    expect(toKey('Our Shop!')).toBe('our-shop');
    expect(toKey('Größe')).toBe('gro-e');
    expect(toKey('x'.repeat(200))).toHaveLength(64);
  });

  test('renaming and disabling keep the id and the key; an unknown id is 404', async () => {
    const made = await post({ name: 'Billing', kind: 'billing' });
    const path = `/v1/sources/${made.body.data.id}`;
    const body = { projectId: project.projectId, name: 'Bills', enabled: false };
    const changed = await service.call('PATCH', path, { as: project.key, body });
    expect(changed.body.data).toMatchObject({
      id: made.body.data.id,
      key: 'billing',
      kind: 'billing',
      name: 'Bills',
      enabled: false,
    });
    const missing = await service.call('PATCH', '/v1/sources/src_nothing', {
      as: project.key,
      body,
    });
    expect(missing.status).toBe(404);
    expect(missing.body.error.code).toBe('NOT_FOUND');
  });

  test('the fifty-first source is refused, and a known key still answers', async () => {
    const other = await service.newProject();
    const register = (key: string) =>
      service.call('POST', '/v1/sources', {
        as: other.key,
        body: { projectId: other.projectId, key },
      });
    for (let n = 0; n < 50; n += 1) expect((await register(`s${n}`)).status).toBe(200);
    const refused = await register('one-more');
    expect(refused.status).toBe(409);
    expect(refused.body.error.reason).toBe('limit_reached');
    expect((await register('s7')).status).toBe(200);
    const list = await service.call('GET', '/v1/sources', {
      as: other.key,
      query: { projectId: other.projectId },
    });
    expect(list.body.data).toHaveLength(50);
  });

  test('a name without letters for a key needs a key beside it', async () => {
    const refused = await post({ name: '日本' });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'key']);
    expect((await post({ name: '日本', key: 'japan' })).body.data.name).toBe('日本');
  });

  test('a key of wrong letters is 400 with its path', async () => {
    const { status, body } = await post({ key: 'Not A Key' });
    expect(status).toBe(400);
    expect(body.error.details[0].path).toBe('key');
  });
});

describe('Idempotency-Key (D-IDEM-1)', () => {
  test('a repeat returns the first answer even after the object changed', async () => {
    const headers = { 'idempotency-key': 'first-call' };
    const first = await post({ key: 'idem', name: 'Before' }, headers);
    await service.call('PATCH', `/v1/sources/${first.body.data.id}`, {
      as: project.key,
      body: { projectId: project.projectId, name: 'After' },
    });
    const again = await post({ key: 'idem', name: 'Before' }, headers);
    expect(again.body).toEqual(first.body);
  });

  test('the same key with another body is a conflict', async () => {
    const headers = { 'idempotency-key': 'reused' };
    await post({ key: 'one' }, headers);
    const other = await post({ key: 'two' }, headers);
    expect(other.status).toBe(409);
    expect(other.body.error.reason).toBe('idempotency_key_reused');
  });

  test('a refusal is not kept: the repeat is decided anew', async () => {
    const headers = { 'idempotency-key': 'refused-first' };
    const path = '/v1/sources/src_unknown';
    const call = () =>
      service.call('PATCH', path, {
        as: project.key,
        body: { projectId: project.projectId },
        headers,
      });
    expect((await call()).status).toBe(404);
    expect((await call()).status).toBe(404);
  });

  test('after 24 hours the key is free again', async () => {
    const headers = { 'idempotency-key': 'old' };
    const first = await post({ key: 'aged' }, headers);
    service.clock.advance(24 * 3_600_000);
    const other = await post({ key: 'aged-other' }, headers);
    expect(other.status).toBe(200);
    expect(other.body.data.id).not.toBe(first.body.data.id);
  });

  test('an empty or over-long key is 400', async () => {
    for (const key of ['', 'x'.repeat(256)]) {
      const { status, body } = await post({}, { 'idempotency-key': key });
      expect(status).toBe(400);
      expect(body.error.details[0].path).toBe('Idempotency-Key');
    }
  });

  test('many concurrent calls with one key get one answer', async () => {
    const headers = { 'idempotency-key': 'race' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post({ name: 'Race' }, headers)),
    );
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });
});
