import Type from 'typebox';
import { expect, test } from 'vitest';
import { callersOf, permissionsNeeded, rolesAllowed } from '../access/authorize.ts';
import { projectRoute } from './project-routes.ts';
import { openRoute, widgetRoute } from './public-routes.ts';
import { listRefusals } from './refusals.ts';
import type { Route } from './route.ts';
import { operatorRoute } from './user-routes.ts';

const common = {
  path: '/v1/things',
  tag: 'Things',
  summary: 'A thing',
  answer: Type.Object({}),
  example: { answer: {} },
  handle: async () => ({}),
};
const read = projectRoute({ ...common, method: 'GET', permissions: ['programs:read'] });
const write = projectRoute({
  ...common,
  method: 'POST',
  permissions: ['payouts:write'],
  refusals: [{ code: 'CONFLICT', reason: 'limit_reached', when: 'there are ten' }],
});
const administer = operatorRoute({ ...common, method: 'POST', about: 'own' });
const open = openRoute({ ...common, method: 'GET', perMinute: 1 });
const widget = widgetRoute({ ...common, method: 'GET', scope: 'widget:read' });

const names = (route: Route) =>
  listRefusals(route).map(({ status, code, reason }) =>
    [status, code, reason ?? ''].join(' ').trim(),
  );

test('a write of a Project refuses by its own reasons and by those of every such route', () => {
  expect(names(write)).toEqual([
    '400 INVALID_REQUEST',
    '401 UNAUTHORIZED',
    '403 FORBIDDEN',
    '403 FORBIDDEN foreign_origin',
    '403 FORBIDDEN totp_required',
    '403 ENVIRONMENT_MISMATCH',
    '404 NOT_FOUND',
    '409 CONFLICT limit_reached',
    '409 CONFLICT idempotency_key_reused',
    '413 PAYLOAD_TOO_LARGE',
    '415 UNSUPPORTED_MEDIA_TYPE',
    '429 RATE_LIMITED',
    '503 SERVICE_UNAVAILABLE outcome_unknown',
    '503 SERVICE_UNAVAILABLE overloaded',
    '503 SERVICE_UNAVAILABLE',
  ]);
});

test('what cannot happen is not listed', () => {
  expect(names(read)).not.toContain('503 SERVICE_UNAVAILABLE outcome_unknown');
  expect(names(open)).toEqual(['429 RATE_LIMITED', '503 SERVICE_UNAVAILABLE']);
  expect(names(widget)).toContain('403 INSUFFICIENT_SCOPE');
  expect(names(widget)).not.toContain('403 FORBIDDEN totp_required');
  expect(names(administer)).not.toContain('409 CONFLICT idempotency_key_reused');
});

test('who may call follows from the access of a route', () => {
  const factsOf = ({ access }: Route) => [
    callersOf(access),
    permissionsNeeded(access),
    rolesAllowed(access),
  ];
  const everyone = ['owner', 'admin', 'operator', 'finance', 'viewer'];
  expect(factsOf(read)).toEqual([['apiKey', 'operator', 'session'], ['programs:read'], everyone]);
  expect(factsOf(write)).toEqual([
    ['apiKey', 'operator', 'session'],
    ['payouts:write'],
    ['owner', 'admin', 'finance'],
  ]);
  expect(factsOf(administer)).toEqual([['operator', 'session'], [], everyone]);
  expect(factsOf(open)).toEqual([['anyone'], [], []]);
  expect(factsOf(widget)).toEqual([['widget'], [], []]);
});
