const BRAND_COLOR = '#A5461F';

/**
 * Calls Goodword as its operator, or as who has the token of a widget, or as a page.
 * @typedef {(method: 'GET' | 'POST' | 'PUT', path: string, body?: object, as?: { token?: string, origin?: string }) => Promise<any>} Call
 */

/**
 * @param {{ goodwordUrl: string, adminToken: string }} place
 * @returns {Call}
 */
export function makeCall({ goodwordUrl, adminToken }) {
  return async (method, path, body, { token = adminToken, origin } = {}) => {
    const response = await fetch(goodwordUrl + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(origin === undefined ? { authorization: `Bearer ${token}` } : { origin }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = JSON.parse(await response.text());
    if (!response.ok) throw new Error(`${method} ${path}: ${answer.error.message}`);
    return answer;
  };
}

/**
 * What an operator does once for a shop: a Project, what its backend proves itself with, a Program
 * that rewards both sides, and one for partners.
 * @param {Call} call
 * @param {{ goodwordUrl: string, shopUrl: string }} place
 * @returns {Promise<import('../src/server.js').Settings & { partnerProgramId: string }>} What the
 * shop needs to know.
 */
export async function setUp(call, { goodwordUrl, shopUrl }) {
  // Where everything belongs. Pages of the shop's origin may call Goodword, no others.
  const environment = 'sandbox';
  const workspace = await call('POST', '/v1/workspaces', { name: 'Acme Mugs' });
  const workspaceId = workspace.data.id;
  const project = await call('POST', '/v1/projects', {
    workspaceId,
    environment,
    name: 'Shop',
    allowedOrigins: [shopUrl],
  });
  const projectId = project.data.id;

  // What the shop's backend proves itself with, and signs Widget tokens with.
  const { key } = await call('POST', '/v1/api-keys', {
    workspaceId,
    environment,
    name: 'Shop backend',
    permissions: ['track:write', 'referrals:read', 'rewards:write'],
  });
  const { secret } = await call('POST', `/v1/projects/${projectId}/widget-secrets`, {});
  const { sourceNamespaceId } = await call('POST', '/v1/sources', { projectId, name: 'Shop' });

  // The Program: where its links lead, and how the widget looks and speaks.
  const program = await call('POST', '/v1/programs', {
    projectId,
    kind: 'referral',
    name: 'Invite a friend',
    config: {
      brandConfig: { landingPageUrl: `${shopUrl}/`, primaryColor: BRAND_COLOR },
      widgetConfig: {
        triggerText: 'Give 10%, get $5',
        title: 'Good mugs are for sharing',
        subtitle:
          'Your friend gets 10% off. You get $5 when they join, and 10% of what they buy in their first year.',
        shareMessage: 'I love my mug from Acme Mugs. Get 10% off yours with my link:',
        productName: 'Acme Mugs',
      },
    },
  });
  const programId = program.data.id;
  const inProgram = { projectId, programId };

  // What each side earns. Credit and discounts are given by the shop itself; cash is paid by Goodword,
  // so that the widget asks where to.
  await call('PUT', `/v1/programs/${programId}/delivery-settings`, {
    projectId,
    cashMethod: 'payout',
  });
  await call('POST', '/v1/benefit-rules', {
    ...inProgram,
    name: '$5 for bringing a friend',
    eventType: 'signup',
    beneficiaryRole: 'referrer',
    terms: {
      benefitKind: 'credit',
      calculation: 'fixed',
      fixedAmountMinor: '500',
      currency: 'USD',
      currencyExponent: 2,
    },
  });
  await call('POST', '/v1/benefit-rules', {
    ...inProgram,
    name: '10% of what the friend buys in the first year',
    eventType: 'purchase',
    beneficiaryRole: 'referrer',
    terms: {
      benefitKind: 'cash',
      calculation: 'percentage',
      rateBps: 1_000,
      durationMode: 'months',
      durationMonths: 12,
    },
  });
  await call('POST', '/v1/benefit-rules', {
    ...inProgram,
    name: '10% off for the friend',
    eventType: 'signup',
    beneficiaryRole: 'referee',
    terms: { benefitKind: 'discount', calculation: 'percentage', rateBps: 1_000 },
  });
  await call('POST', `/v1/programs/${programId}/status`, { projectId, status: 'active' });

  // A second Program: partners earn a share of what their customers buy.
  const partners = await call('POST', '/v1/programs', {
    projectId,
    kind: 'affiliate',
    name: 'Partners',
    config: {
      brandConfig: { landingPageUrl: `${shopUrl}/`, primaryColor: BRAND_COLOR },
      partnerApplicationsOpen: true,
    },
  });
  const partnerProgramId = partners.data.id;
  await call('PUT', `/v1/programs/${partnerProgramId}/delivery-settings`, {
    projectId,
    cashMethod: 'payout',
    holdDays: 14,
  });
  await call('POST', '/v1/benefit-rules', {
    projectId,
    programId: partnerProgramId,
    name: '20% of what a new customer buys in the first year',
    eventType: 'purchase',
    beneficiaryRole: 'referrer',
    terms: {
      benefitKind: 'cash',
      calculation: 'percentage',
      rateBps: 2_000,
      durationMode: 'months',
      durationMonths: 12,
    },
  });
  await call('POST', `/v1/programs/${partnerProgramId}/status`, { projectId, status: 'active' });

  return {
    partnerProgramId,
    shopUrl,
    goodwordUrl,
    key,
    projectId,
    projectKey: project.data.projectKey,
    programId,
    sourceId: sourceNamespaceId,
    widgetSecret: secret,
  };
}
