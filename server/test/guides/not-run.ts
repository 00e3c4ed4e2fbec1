const NEXT =
  'nightly/example-next.test.ts runs it: Next is installed from the registry, which may be out of reach';

/** Blocks that a page marks as `not-run`, by how they begin, and why that is so. */
export const NOT_RUN: readonly { page: string; begins: string; because: string }[] = [
  {
    page: 'README.md',
    begins: 'npm install && npm run demo',
    because: 'it runs until it is stopped; journeys/example-quickstart.test.ts runs it',
  },
  {
    page: 'README.md',
    begins: 'npm install && npm start',
    because: 'the test has started the service',
  },
  { page: 'README.md', begins: 'npm install && npm test', because: 'it is what runs this' },
  {
    page: 'docs/sdk.md',
    begins: 'npm pack --workspace sdk',
    because: 'a pack is made and loaded by sdk/test/pack.test.ts',
  },
  {
    page: 'docs/backtests.md',
    begins: 'goodword programs export',
    because: 'it needs a Program with a past; journeys/backtests.test.ts has one',
  },
  {
    page: 'docs/start.md',
    begins: 'git clone',
    because: 'the test has the repository, and has started the service',
  },
  {
    page: 'docs/webhooks.md',
    begins: 'WEBHOOK_ALLOWED_CIDRS=127.0.0.0/8 npm start',
    because: 'the test has started the service, with this setting',
  },
  {
    page: 'docs/partners.md',
    begins: 'curl -s -X POST $GOODWORD_URL/v1/partners/$PARTNER/suspend',
    because:
      'it needs a partner, who proved an address by mail; journeys/partner-suspension.test.ts has one',
  },
  {
    page: 'docs/figures.md',
    begins: 'curl -s "$GOODWORD_URL/v1/partners/$PARTNER/figures',
    because: 'it needs a partner as well; journeys/partner-days.test.ts has one',
  },
  {
    page: 'docs/payouts.md',
    begins: 'curl -s -X PUT $GOODWORD_URL/v1/workspaces/$WORKSPACE/payout-connections',
    because: 'it needs an account at PayPal; journeys/payout-connections.test.ts has a stand-in',
  },
  {
    page: 'docs/stripe.md',
    begins: 'curl -X POST "$GOODWORD_URL/v1/integrations/stripe/connections"',
    because: 'it needs an account at Stripe; journeys/stripe-*.test.ts do it against a stand-in',
  },
  {
    page: 'docs/stripe.md',
    begins: 'curl -X PATCH "$GOODWORD_URL/v1/integrations/stripe/connections/scn_…"',
    because: 'it needs an account at Stripe; journeys/stripe-*.test.ts do it against a stand-in',
  },
  {
    page: 'docs/stripe.md',
    begins: 'curl -X POST "$GOODWORD_URL/v1/integrations/stripe/parked/spk_…/resolve"',
    because: 'it needs an account at Stripe; journeys/stripe-*.test.ts do it against a stand-in',
  },
  {
    page: 'docs/stripe.md',
    begins: 'curl -X PUT "$GOODWORD_URL/v1/programs/prg_…/delivery-settings"',
    because: 'it needs an account at Stripe; journeys/stripe-*.test.ts do it against a stand-in',
  },
  {
    page: 'docs/team.md',
    begins: 'npm run goodword -- team invite',
    because: 'it needs a first user, who comes by a browser; journeys/console-team.test.ts has one',
  },
  {
    page: 'docs/operations.md',
    begins: 'mkdir -m 0700 deploy/secrets',
    because: 'it starts Docker; embedded/image.test.ts carries out the steps of the image',
  },
  {
    page: 'docs/operations.md',
    begins: 'kubectl create namespace goodword',
    because: 'it needs a cluster; checks/deploy.test.ts reads the manifests',
  },
  {
    page: 'docs/scaling.md',
    begins: 'DATABASE_URL=postgres://… npm run distribute',
    because: 'it needs a Citus cluster; citus/distribute.test.ts runs it on one',
  },
  {
    page: 'docs/backup.md',
    begins: 'pg_dump',
    because: 'it needs a PostgreSQL server of yours',
  },
  {
    page: 'docs/backup.md',
    begins: 'RESTORED_URL=',
    because: 'it needs a PostgreSQL server of yours',
  },
  {
    page: 'docs/backup.md',
    begins: 'npm run backup',
    because:
      'it writes where a machine keeps its backups; embedded/backup.test.ts does it in a folder of its own',
  },
  {
    page: 'docs/backup.md',
    begins: 'npm run restore',
    because:
      'it writes where a machine keeps its backups; embedded/backup.test.ts does it in a folder of its own',
  },
  {
    page: 'docs/backup.md',
    begins: 'DATA_DIR=/tmp/drill',
    because:
      'it writes where a machine keeps its backups; embedded/backup.test.ts does it in a folder of its own',
  },
  {
    page: 'docs/risk.md',
    begins: 'npm run disposable-domains',
    because: 'it replaces a file of the repository',
  },
  {
    page: 'docs/quickstart-next.md',
    begins: 'cp -r examples/next',
    because: NEXT,
  },
  {
    page: 'docs/quickstart-next.md',
    begins: 'npm run --silent goodword -- init',
    because: NEXT,
  },
  {
    page: 'docs/quickstart-next.md',
    begins: 'npm run build --prefix shop',
    because: NEXT,
  },
  {
    page: 'docs/quickstart-next.md',
    begins: 'node --env-file=shop/.env',
    because: NEXT,
  },
];
