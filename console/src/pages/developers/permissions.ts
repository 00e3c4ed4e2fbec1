import { PERMISSION_PRESETS } from '@goodword/sdk';
import type { Row } from '../../api/client.ts';
import type { Tone } from '../../ui/status-badge.tsx';

export type ApiKey = Row<'/v1/api-keys'>;
export type Permission = ApiKey['permissions'][number];
export type Preset = keyof typeof PERMISSION_PRESETS;

export const PRESETS: Readonly<Record<Preset, { label: string; explanation: string }>> = {
  backend: {
    label: 'Your backend',
    explanation:
      'Reports signups and purchases; manages participants, codes and links; grants rewards; reads the feed. Right for most backends.',
  },
  fulfillment: {
    label: 'Granting rewards',
    explanation: 'Reads rewards and records that they were granted. For a job that does only that.',
  },
  read_only: {
    label: 'Reading',
    explanation: 'Reads everything and changes nothing. For reports.',
  },
  full: {
    label: 'Everything',
    explanation:
      'Can also change programs, approve partners and make payouts. Use it only if you need all of this.',
  },
};

export const PERMISSIONS: Readonly<Record<Permission, string>> = {
  'track:write': 'Report signups, purchases, refunds and other events',
  'sources:write': 'Register applications as sources of facts',
  'participants:read': 'Read participants, their codes and links',
  'participants:write': 'Change and erase participants',
  'referrals:read': 'Read referrals, events, rewards and why',
  'referrals:write': 'Enrol people, give them codes and links',
  'programs:read': 'Read programs, rules and terms',
  'programs:write': 'Change programs, publish terms, set the test clock',
  'rewards:write': 'Grant, void, retry and take back rewards',
  'partners:read': 'Read partner applications',
  'partners:write': 'Approve and reject partners',
  'payouts:read': 'Read payouts and compare them with the providers',
  'payouts:write': 'Create, approve and submit payouts; see account numbers',
  'webhooks:read': 'Read the feed, endpoints and deliveries',
  'webhooks:write': 'Create endpoints, rotate their secrets, replay events',
};

/** The preset with exactly these permissions, if there is one. */
export function presetOf(permissions: readonly Permission[]): Preset | null {
  const has = new Set<string>(permissions);
  const found = Object.entries(PERMISSION_PRESETS).find(
    ([, list]) => list.length === has.size && list.every((one) => has.has(one)),
  );
  return (found?.[0] as Preset | undefined) ?? null;
}

export const permissionsIn = (preset: Preset): readonly Permission[] => PERMISSION_PRESETS[preset];

interface State {
  readonly tone: Tone;
  readonly label: string;
  readonly explanation: string;
  readonly isOver: boolean;
}

/** The state of a key or a secret at a time. */
export function stateOfKey(
  { expiresAt, revokedAt }: { expiresAt: string | null; revokedAt: string | null },
  nowMs: number,
): State {
  if (revokedAt)
    return { tone: 'over', label: 'Revoked', explanation: 'It was revoked.', isOver: true };
  if (!expiresAt)
    return {
      tone: 'good',
      label: 'Active',
      explanation: 'Works until it is revoked.',
      isOver: false,
    };
  if (Date.parse(expiresAt) <= nowMs)
    return { tone: 'over', label: 'Expired', explanation: 'It has expired.', isOver: true };
  return {
    tone: 'waits',
    label: 'Ends',
    explanation: 'Works until it expires.',
    isOver: false,
  };
}
