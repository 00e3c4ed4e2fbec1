import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router';
import { answerOf, api } from '../api/client.ts';
import { BASE_PATH } from './base-path.ts';
import { readFilters } from './filters.ts';
import { RootLayout, RouteError, RouteMissing, RoutePending, SignedInLayout } from './frames.tsx';
import { lastProject, projectsQuery, rememberProject } from './project.ts';
import { queryClient } from './query-client.ts';
import { sessionQuery } from './session.ts';

const root = createRootRouteWithContext()({
  component: RootLayout,
  validateSearch: readFilters,
});

// ---- for everybody

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('../pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});
const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('../pages/sign-in/setup-page.tsx'), 'SetupPage'),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(
    () => import('../pages/sign-in/invitation-page.tsx'),
    'InvitationPage',
  ),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(
    () => import('../pages/sign-in/reset-password-page.tsx'),
    'ResetPasswordPage',
  ),
});

// ---- for signed-in users

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: SignedInLayout,
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData({ ...sessionQuery, revalidateIfStale: true });
    if (!session) {
      const { data } = await answerOf(api.GET('/v1/setup'));
      if (data.isOpen) throw redirect({ to: '/setup' });
      throw redirect({ to: '/sign-in', search: { next: location.href } });
    }
    if (session.mustSetUpTotp && location.pathname !== '/account') {
      throw redirect({ to: '/account' });
    }
  },
});
const start = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: async () => {
    const project = lastProject(await queryClient.ensureQueryData(projectsQuery));
    if (project) throw redirect({ to: '/p/$projectId', params: { projectId: project.id } });
    throw redirect({ to: '/new-project' });
  },
});
const newProject = createRoute({
  getParentRoute: () => signedIn,
  path: '/new-project',
  component: lazyRouteComponent(
    () => import('../pages/workspace/new-project-page.tsx'),
    'NewProjectPage',
  ),
});
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('../pages/account/account-page.tsx'), 'AccountPage'),
});

// ---- about one project

const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/p/$projectId',
  beforeLoad: async ({ params, preload }) => {
    const projects = await queryClient.ensureQueryData(projectsQuery);
    if (!projects.some(({ id }) => id === params.projectId)) throw notFound();
    // A preload is not a visit.
    if (!preload) rememberProject(params.projectId);
  },
  component: lazyRouteComponent(() => import('./project-layout.tsx'), 'ProjectLayout'),
});
const home = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/home/home-page.tsx'), 'HomePage'),
});

const programs = createRoute({
  getParentRoute: () => project,
  path: '/programs',
  component: lazyRouteComponent(
    () => import('../pages/programs/programs-page.tsx'),
    'ProgramsPage',
  ),
});
const newProgram = createRoute({
  getParentRoute: () => project,
  path: '/programs/new',
  component: lazyRouteComponent(
    () => import('../pages/programs/new-program-page.tsx'),
    'NewProgramPage',
  ),
});
const program = createRoute({
  getParentRoute: () => project,
  path: '/programs/$programId',
  component: lazyRouteComponent(() => import('../pages/programs/program-page.tsx'), 'ProgramPage'),
});

const participants = createRoute({
  getParentRoute: () => project,
  path: '/participants',
  component: lazyRouteComponent(
    () => import('../pages/participants/participants-page.tsx'),
    'ParticipantsPage',
  ),
});
const participant = createRoute({
  getParentRoute: () => project,
  path: '/participants/$participantId',
  component: lazyRouteComponent(
    () => import('../pages/participants/participant-page.tsx'),
    'ParticipantPage',
  ),
});
const referrals = createRoute({
  getParentRoute: () => project,
  path: '/referrals',
  component: lazyRouteComponent(
    () => import('../pages/referrals/referrals-page.tsx'),
    'ReferralsPage',
  ),
});
const referral = createRoute({
  getParentRoute: () => project,
  path: '/referrals/$referralId',
  component: lazyRouteComponent(
    () => import('../pages/referrals/referral-page.tsx'),
    'ReferralPage',
  ),
});
const events = createRoute({
  getParentRoute: () => project,
  path: '/events',
  component: lazyRouteComponent(() => import('../pages/events/events-page.tsx'), 'EventsPage'),
});
const event = createRoute({
  getParentRoute: () => project,
  path: '/events/$eventId',
  component: lazyRouteComponent(() => import('../pages/events/event-page.tsx'), 'EventPage'),
});
const dryRun = createRoute({
  getParentRoute: () => project,
  path: '/dry-run',
  component: lazyRouteComponent(() => import('../pages/events/dry-run-page.tsx'), 'DryRunPage'),
});
const clock = createRoute({
  getParentRoute: () => project,
  path: '/clock',
  component: lazyRouteComponent(() => import('../pages/workspace/clock-page.tsx'), 'ClockPage'),
});

const rewards = createRoute({
  getParentRoute: () => project,
  path: '/rewards',
  component: lazyRouteComponent(() => import('../pages/rewards/rewards-page.tsx'), 'RewardsPage'),
});
const reward = createRoute({
  getParentRoute: () => project,
  path: '/rewards/$rewardId',
  component: lazyRouteComponent(() => import('../pages/rewards/reward-page.tsx'), 'RewardPage'),
});
const reviews = createRoute({
  getParentRoute: () => project,
  path: '/reviews',
  component: lazyRouteComponent(() => import('../pages/risk/reviews-page.tsx'), 'ReviewsPage'),
});
const review = createRoute({
  getParentRoute: () => project,
  path: '/reviews/$reviewId',
  component: lazyRouteComponent(() => import('../pages/risk/review/review-page.tsx'), 'ReviewPage'),
});
const restore = createRoute({
  getParentRoute: () => project,
  path: '/restore',
  component: lazyRouteComponent(() => import('../pages/restores/restore-page.tsx'), 'RestorePage'),
});
const payouts = createRoute({
  getParentRoute: () => project,
  path: '/payouts',
  component: lazyRouteComponent(() => import('../pages/payouts/payouts-page.tsx'), 'PayoutsPage'),
});
const payoutBatch = createRoute({
  getParentRoute: () => project,
  path: '/payouts/batches/$batchId',
  component: lazyRouteComponent(() => import('../pages/payouts/batch-page.tsx'), 'BatchPage'),
});
const payout = createRoute({
  getParentRoute: () => project,
  path: '/payouts/$payoutId',
  component: lazyRouteComponent(() => import('../pages/payouts/payout-page.tsx'), 'PayoutPage'),
});
const partners = createRoute({
  getParentRoute: () => project,
  path: '/partners',
  component: lazyRouteComponent(
    () => import('../pages/partners/partners-page.tsx'),
    'PartnersPage',
  ),
});
const partner = createRoute({
  getParentRoute: () => project,
  path: '/partners/$partnerId',
  component: lazyRouteComponent(() => import('../pages/partners/partner-page.tsx'), 'PartnerPage'),
});

const webhooks = createRoute({
  getParentRoute: () => project,
  path: '/webhooks',
  component: lazyRouteComponent(
    () => import('../pages/webhooks/webhooks-page.tsx'),
    'WebhooksPage',
  ),
});
const endpoint = createRoute({
  getParentRoute: () => project,
  path: '/webhooks/$endpointId',
  component: lazyRouteComponent(
    () => import('../pages/webhooks/endpoint-page.tsx'),
    'EndpointPage',
  ),
});
const feed = createRoute({
  getParentRoute: () => project,
  path: '/feed',
  component: lazyRouteComponent(() => import('../pages/webhooks/feed-page.tsx'), 'FeedPage'),
});
const mail = createRoute({
  getParentRoute: () => project,
  path: '/mail',
  component: lazyRouteComponent(() => import('../pages/mail/mail-page.tsx'), 'MailPage'),
});
const developers = createRoute({
  getParentRoute: () => project,
  path: '/developers',
  component: lazyRouteComponent(
    () => import('../pages/developers/developers-page.tsx'),
    'DevelopersPage',
  ),
});
const integrations = createRoute({
  getParentRoute: () => project,
  path: '/integrations',
  component: lazyRouteComponent(
    () => import('../pages/developers/integrations-page.tsx'),
    'IntegrationsPage',
  ),
});
const importData = createRoute({
  getParentRoute: () => project,
  path: '/import',
  component: lazyRouteComponent(() => import('../pages/import/import-page.tsx'), 'ImportPage'),
});
const team = createRoute({
  getParentRoute: () => project,
  path: '/team',
  component: lazyRouteComponent(() => import('../pages/workspace/team-page.tsx'), 'TeamPage'),
});
const audit = createRoute({
  getParentRoute: () => project,
  path: '/audit-log',
  component: lazyRouteComponent(
    () => import('../pages/workspace/audit/audit-page.tsx'),
    'AuditPage',
  ),
});
const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  component: lazyRouteComponent(
    () => import('../pages/workspace/settings-page.tsx'),
    'SettingsPage',
  ),
});

const routeTree = root.addChildren([
  signIn,
  setup,
  invitation,
  resetPassword,
  signedIn.addChildren([
    start,
    newProject,
    account,
    project.addChildren([
      home,
      programs,
      newProgram,
      program,
      participants,
      participant,
      referrals,
      referral,
      events,
      event,
      dryRun,
      clock,
      rewards,
      reward,
      reviews,
      review,
      payouts,
      restore,
      payoutBatch,
      payout,
      partners,
      partner,
      webhooks,
      endpoint,
      feed,
      mail,
      developers,
      integrations,
      importData,
      team,
      audit,
      settings,
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: BASE_PATH,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultErrorComponent: RouteError,
  defaultNotFoundComponent: RouteMissing,
  defaultPendingComponent: RoutePending,
  defaultPendingMs: 200,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
