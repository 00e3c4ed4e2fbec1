import type { Environment } from '../../platform/http/access/principal.ts';
import type { Issue } from '../../platform/kit/errors.ts';
import { parseUrl } from '../../platform/kit/parse-url.ts';
import type { ProgramKind } from './program-status.ts';

export const WIDGET_POSITIONS = ['bottom-right', 'bottom-left', 'top-right', 'top-left'] as const;
export const WIDGET_ICONS = ['gift', 'heart', 'star', 'zap'] as const;
export const PLATFORMS = [
  'facebook',
  'twitter',
  'linkedin',
  'whatsapp',
  'email',
  'instagram',
  'telegram',
] as const;
type Platform = (typeof PLATFORMS)[number];

interface BrandConfig {
  primaryColor: string;
  /** Target of referral links; empty until it is set. */
  landingPageUrl: string;
}

interface WidgetConfig {
  position: (typeof WIDGET_POSITIONS)[number];
  triggerText: string;
  icon: (typeof WIDGET_ICONS)[number];
  title: string;
  subtitle: string;
  logoUrl: string;
  cssVariables: Record<string, string>;
  shareMessage: string;
  enabledPlatforms: Record<Platform, boolean>;
  /** Always empty here: it differs by participant, and is filled in for the Widget. */
  referralLink: string;
  productName: string;
}

export interface ProgramConfig {
  schemaVersion: 1;
  brandConfig: BrandConfig;
  partnerApplicationsOpen: boolean;
  /** Whether partners see who has the most referrals, with masked names. */
  partnerLeaderboard: boolean;
  widgetConfig: WidgetConfig;
}

/** An omitted field keeps its value; null restores its default. */
type Patch<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

export interface ConfigPatch {
  readonly schemaVersion?: 1 | null | undefined;
  readonly brandConfig?: Patch<BrandConfig> | null | undefined;
  readonly partnerApplicationsOpen?: boolean | null | undefined;
  readonly partnerLeaderboard?: boolean | null | undefined;
  readonly widgetConfig?:
    | (Omit<Patch<WidgetConfig>, 'enabledPlatforms'> & {
        readonly enabledPlatforms?: Patch<Record<Platform, boolean>> | null | undefined;
      })
    | null
    | undefined;
}

export const DEFAULT_CONFIG: ProgramConfig = {
  schemaVersion: 1,
  brandConfig: { primaryColor: '#4F46E5', landingPageUrl: '' },
  partnerApplicationsOpen: false,
  partnerLeaderboard: false,
  widgetConfig: {
    position: 'bottom-right',
    triggerText: 'Invite & earn',
    icon: 'gift',
    title: 'Invite your friends',
    subtitle: 'Share your link and earn rewards when someone joins through it.',
    logoUrl: '',
    cssVariables: {},
    shareMessage: 'I enjoy using this and think you will too. Join me with my link:',
    enabledPlatforms: {
      facebook: true,
      twitter: true,
      linkedin: true,
      whatsapp: true,
      email: true,
      instagram: true,
      telegram: true,
    },
    referralLink: '',
    productName: '',
  },
};

/** The config after a change: blocks are merged field by field, `cssVariables` is replaced as a whole. */
export function mergeConfig(
  current: ProgramConfig,
  patch: ConfigPatch | null | undefined,
): ProgramConfig {
  if (patch === undefined) return current;
  if (patch === null) return DEFAULT_CONFIG;
  return {
    schemaVersion: 1,
    brandConfig: merge(current.brandConfig, patch.brandConfig, DEFAULT_CONFIG.brandConfig),
    ...mergePartners(current, patch),
    widgetConfig: mergeWidget(current.widgetConfig, patch.widgetConfig),
  };
}

type PartnerFlags = Pick<ProgramConfig, 'partnerApplicationsOpen' | 'partnerLeaderboard'>;

function mergePartners(current: PartnerFlags, patch: Patch<PartnerFlags>): PartnerFlags {
  const { partnerApplicationsOpen, partnerLeaderboard } = DEFAULT_CONFIG;
  const defaults = { partnerApplicationsOpen, partnerLeaderboard };
  return merge(
    {
      partnerApplicationsOpen: current.partnerApplicationsOpen,
      // Programs of earlier versions were stored without it.
      partnerLeaderboard: current.partnerLeaderboard ?? partnerLeaderboard,
    },
    patch,
    defaults,
  );
}

/** A stored config with its fields in the documented order, which the database does not preserve. */
export function arrangeConfig(stored: ProgramConfig): ProgramConfig {
  return mergeConfig(DEFAULT_CONFIG, stored);
}

function mergeWidget(
  current: WidgetConfig,
  patch: ConfigPatch['widgetConfig'],
): ProgramConfig['widgetConfig'] {
  const defaults = DEFAULT_CONFIG.widgetConfig;
  if (patch === undefined) return current;
  if (patch === null) return defaults;
  const { enabledPlatforms, referralLink: _ignored, ...rest } = patch;
  return {
    ...merge(current, rest, defaults),
    enabledPlatforms: merge(current.enabledPlatforms, enabledPlatforms, defaults.enabledPlatforms),
  };
}

function merge<T extends object>(current: T, patch: Patch<T> | null | undefined, defaults: T): T {
  if (patch === undefined) return current;
  if (patch === null) return defaults;
  const next = { ...current };
  for (const name of Object.keys(defaults) as (keyof T)[]) {
    const value = patch[name];
    if (value !== undefined) next[name] = value === null ? defaults[name] : (value as T[keyof T]);
  }
  return next;
}

/** Issues of a config beyond the format of its fields; empty if there are none. */
export function findConfigIssues(
  config: ProgramConfig,
  kind: ProgramKind,
  environment: Environment,
): Issue[] {
  const issues: Issue[] = [];
  const { landingPageUrl } = config.brandConfig;
  if (landingPageUrl !== '' && !isLandingPageAllowed(landingPageUrl, environment)) {
    issues.push({
      path: LANDING_PAGE_PATH,
      issue:
        environment === 'live'
          ? 'must be an https address, or http on this machine'
          : 'must be an https or http address',
    });
  }
  const { logoUrl } = config.widgetConfig;
  if (logoUrl !== '' && !isHttpsAddress(logoUrl)) {
    issues.push({
      path: 'config.widgetConfig.logoUrl',
      issue: 'must be empty or an https address',
    });
  }
  for (const flag of ['partnerApplicationsOpen', 'partnerLeaderboard'] as const) {
    if (config[flag] && kind !== 'affiliate') {
      issues.push({ path: `config.${flag}`, issue: 'can be true only in an affiliate program' });
    }
  }
  return issues;
}

export const LANDING_PAGE_PATH = 'config.brandConfig.landingPageUrl';

/** Loyalty has no links, so it needs no landing page. */
export function lacksLandingPage(kind: ProgramKind, config: ProgramConfig): boolean {
  return kind !== 'loyalty' && config.brandConfig.landingPageUrl === '';
}

const LOOPBACK = /^(localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** An address as a browser would parse it; undefined if a browser would silently repair it, or if it has a password. */
function parseAddress(text: string): URL | undefined {
  if (/[\s\p{Cc}\\]/u.test(text) || !/^https?:\/\//i.test(text)) return undefined;
  const url = parseUrl(text);
  return url?.username === '' && url.password === '' ? url : undefined;
}

export function isHttpsAddress(text: string): boolean {
  return parseAddress(text)?.protocol === 'https:';
}

/** https everywhere; http on a loopback host, or anywhere in a sandbox. */
export function isLandingPageAllowed(text: string, environment: Environment): boolean {
  const url = parseAddress(text);
  if (url?.protocol !== 'http:') return url !== undefined;
  return environment === 'sandbox' || LOOPBACK.test(url.hostname);
}
