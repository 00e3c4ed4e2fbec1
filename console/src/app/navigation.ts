import {
  BadgeCheckIcon,
  CalendarClockIcon,
  CodeXmlIcon,
  FileInputIcon,
  FlaskConicalIcon,
  GiftIcon,
  HandCoinsIcon,
  HandshakeIcon,
  HistoryIcon,
  HouseIcon,
  MailIcon,
  MegaphoneIcon,
  PlugIcon,
  SettingsIcon,
  Share2Icon,
  ShieldAlertIcon,
  UsersIcon,
  UsersRoundIcon,
  WebhookIcon,
  ZapIcon,
} from 'lucide-react';
import type { ComponentType } from 'react';
import type { Matter } from './attention.ts';
import type { Membership, Permission } from './session.ts';

interface Place {
  readonly to: string;
  readonly label: string;
  readonly icon: ComponentType<{ size?: number | string }>;
  /** Other search words for it. */
  readonly words?: string;
  /** Who sees it, if not everybody. */
  readonly only?: 'administrators' | 'sandbox';
  /** All permissions that are needed to do anything there. */
  readonly needs?: readonly Permission[];
  /** What waits there for a person, shown as a number beside its name. */
  readonly counts?: Matter['kind'];
}

interface Section {
  readonly title: string | null;
  readonly places: readonly Place[];
}

/** Every page of a project, as shown in the side bar and the command palette. */
const SECTIONS: readonly Section[] = [
  {
    title: null,
    places: [
      { to: '/p/$projectId', label: 'Home', icon: HouseIcon, words: 'overview dashboard charts' },
      {
        to: '/p/$projectId/programs',
        label: 'Programs',
        icon: MegaphoneIcon,
        words: 'rules terms widget policy',
      },
    ],
  },
  {
    title: 'People',
    places: [
      {
        to: '/p/$projectId/participants',
        label: 'Participants',
        icon: UsersIcon,
        words: 'customers users codes links',
      },
      { to: '/p/$projectId/referrals', label: 'Referrals', icon: Share2Icon },
      {
        to: '/p/$projectId/events',
        label: 'Events',
        icon: ZapIcon,
        words: 'signups purchases facts',
      },
      {
        to: '/p/$projectId/partners',
        label: 'Partners',
        icon: HandshakeIcon,
        words: 'affiliates applications',
      },
      {
        to: '/p/$projectId/mail',
        label: 'Mail',
        icon: MailIcon,
        words: 'e-mail notifications sender texts unsubscribe bounces',
      },
    ],
  },
  {
    title: 'Money',
    places: [
      { to: '/p/$projectId/rewards', label: 'Rewards', icon: GiftIcon, words: 'grant void revoke' },
      {
        to: '/p/$projectId/reviews',
        label: 'Reviews',
        icon: ShieldAlertIcon,
        words: 'risk fraud score held approve reject allowed watched',
        needs: ['referrals:read'],
        counts: 'risk_reviews_open',
      },
      {
        to: '/p/$projectId/payouts',
        label: 'Payouts',
        icon: HandCoinsIcon,
        words: 'batches transfers cash',
      },
    ],
  },
  {
    title: 'Build',
    places: [
      {
        to: '/p/$projectId/developers',
        label: 'Developers',
        icon: CodeXmlIcon,
        words: 'api keys secrets sources origins snippets',
      },
      {
        to: '/p/$projectId/webhooks',
        label: 'Webhooks',
        icon: WebhookIcon,
        words: 'endpoints deliveries replay',
      },
      {
        to: '/p/$projectId/feed',
        label: 'Live feed',
        icon: BadgeCheckIcon,
        words: 'tail stream',
      },
      {
        to: '/p/$projectId/integrations',
        label: 'Integrations',
        icon: PlugIcon,
        words: 'stripe paypal wise connections',
        only: 'administrators',
      },
      {
        to: '/p/$projectId/dry-run',
        label: 'Dry run',
        icon: FlaskConicalIcon,
        words: 'simulate try',
        needs: ['track:write'],
      },
      {
        to: '/p/$projectId/clock',
        label: 'Test clock',
        icon: CalendarClockIcon,
        words: 'time',
        only: 'sandbox',
      },
      {
        to: '/p/$projectId/import',
        label: 'Import',
        icon: FileInputIcon,
        words: 'csv migrate',
        needs: ['participants:write', 'referrals:write', 'track:write'],
      },
    ],
  },
  {
    title: 'Workspace',
    places: [
      {
        to: '/p/$projectId/team',
        label: 'Team',
        icon: UsersRoundIcon,
        words: 'members invitations roles',
        only: 'administrators',
      },
      {
        to: '/p/$projectId/audit-log',
        label: 'Audit log',
        icon: HistoryIcon,
        only: 'administrators',
      },
      {
        to: '/p/$projectId/settings',
        label: 'Settings',
        icon: SettingsIcon,
        words: 'project name origins',
        only: 'administrators',
      },
    ],
  },
];

interface Visitor {
  readonly membership: Pick<Membership, 'mayAdminister' | 'permissions'> | undefined;
  readonly isSandbox: boolean;
}

/** Pages on which a role can do nothing are hidden. */
export function placesFor({ membership, isSandbox }: Visitor): readonly Section[] {
  const isFor = ({ only, needs = [] }: Place) =>
    needs.every((one) => membership?.permissions.includes(one)) &&
    (only === undefined ||
      (only === 'administrators' ? membership?.mayAdminister === true : isSandbox));
  return SECTIONS.map(({ title, places }) => ({ title, places: places.filter(isFor) })).filter(
    ({ places }) => places.length > 0,
  );
}
