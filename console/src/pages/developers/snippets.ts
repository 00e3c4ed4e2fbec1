/** The values filled into the snippets. */
export interface SnippetFacts {
  /** The address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly projectId: string;
  readonly projectKey: string;
  /** The id of a referral program; null shows a placeholder. */
  readonly programId: string | null;
  readonly sourceNamespaceId: string | null;
}

export interface SnippetText {
  readonly key: string;
  readonly title: string;
  readonly intro: string;
  readonly code: string;
}

const curl = (baseUrl: string, path: string, body: object) =>
  `curl -s ${baseUrl}${path} \\
  -H "X-Api-Key: $GOODWORD_KEY" -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`;

/** A read call. */
export const callWithKey = ({ baseUrl, projectId }: SnippetFacts, path: string) =>
  `curl -s '${baseUrl}${path}?projectId=${projectId}' \\
  -H "X-Api-Key: $GOODWORD_KEY"`;

/**
 * The report of a signup. Who referred it is known from what the browser remembered, or from a code: with that of a
 * link it can be tried without a browser.
 */
export const signupCall = (
  { baseUrl, projectId, sourceNamespaceId }: SnippetFacts,
  refCode: string | null,
) =>
  curl(baseUrl, '/v1/track/events', {
    projectId,
    sourceNamespaceId: sourceNamespaceId ?? 'src_…',
    type: 'signup',
    participant: { kind: 'individual', externalId: refCode === null ? '42' : 'friend-1' },
    ...(refCode === null ? { identify: { handle: 'the cookie service_handle' } } : { refCode }),
  });

/** In the order in which they are needed. */
export function makeSnippets(facts: SnippetFacts): SnippetText[] {
  const { baseUrl, projectId, projectKey } = facts;
  const programId = facts.programId ?? 'prg_…';
  const sourceNamespaceId = facts.sourceNamespaceId ?? 'src_…';
  return [
    {
      key: 'landing',
      title: '1. The landing script',
      intro:
        'On the page that referral links lead to. It remembers which link a visitor followed. The page’s origin must be one of the allowed origins.',
      code: `<script async src="${baseUrl}/landing/v1.js" data-project="${projectKey}"></script>`,
    },
    {
      key: 'signup',
      title: '2. Report a signup',
      intro:
        'From your backend, when an account is created. Send identify only if the browser sent the cookie service_handle. Send a typed code in refCode.',
      code: signupCall(facts, null),
    },
    {
      key: 'purchase',
      title: '3. Report a purchase',
      intro:
        'From your backend, when it is paid. Amounts are whole minor units: 4900 is 49.00. sourceEventId is your order’s id, so a repeat counts once.',
      code: curl(baseUrl, '/v1/track/events', {
        projectId,
        sourceNamespaceId,
        type: 'purchase',
        participant: { kind: 'individual', externalId: '42' },
        sourceEventId: 'order-1001',
        purchase: { amountMinor: '4900', currency: 'USD' },
      }),
    },
    {
      key: 'widget',
      title: '4. The widget',
      intro:
        'For pages where users are logged in. It shows their link, their rewards and their payout details. Your backend signs the token with a widget secret.',
      code: `<script src="${baseUrl}/widget/v1.js" defer></script>
<script type="module">
  ServiceWidget.init({
    projectId: '${projectId}',
    programId: '${programId}',
    getToken: () => fetch('/widget-token').then((answer) => answer.text()),
  });
</script>`,
    },
    {
      key: 'token',
      title: '5. Sign a widget token',
      intro: 'In your backend, for the user who is logged in. Node, with the package jose.',
      code: `import { SignJWT } from 'jose';

const secret = new TextEncoder().encode(process.env.WIDGET_SECRET); // wsec_…

export const widgetToken = (userId) =>
  new SignJWT({
    projectId: '${projectId}',
    participantKind: 'individual',
    scope: 'widget:read widget:payout',
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'service-widget+jwt' })
    .setIssuer('${projectId}')
    .setAudience('service-widget')
    .setSubject(userId)
    .setIssuedAt()
    .setExpirationTime('15m')
    .sign(secret);`,
    },
    {
      key: 'webhook',
      title: '6. Verify a webhook',
      intro: 'Before you parse the body. Node, with the package standardwebhooks and the raw body.',
      code: `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET); // whsec_…

/** Throws if it is not from here, or too old. */
export const readEvent = (rawBody, headers) => webhook.verify(rawBody, headers);`,
    },
  ];
}
