import type { Environment } from '../../../platform/http/access/principal.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { ProgramFacts } from '../decide-program.ts';
import {
  type ConnectedMethod,
  DEFAULT_DELIVERY,
  type DeliveryChoice,
  methodOptions,
} from '../delivery-methods.ts';
import { isLandingPageAllowed } from '../program-config.ts';
import { BENEFIT_KINDS } from '../rules/benefit-words.ts';

/** What can be copied of a Program: its texts, looks and settings. */
export interface CopySource {
  readonly program: Pick<ProgramFacts, 'kind' | 'name' | 'config'>;
  readonly delivery: DeliveryChoice;
}

/** Where the copy goes. */
export interface CopyTarget {
  readonly environment: Environment;
  readonly connected: readonly ConnectedMethod[];
  /** Null for the proposed name. */
  readonly name: string | null;
  readonly isSameProject: boolean;
}

export interface CopyWarning {
  readonly code: 'method_not_available' | 'landing_page_not_allowed';
  readonly message: string;
}

interface DecidedCopy {
  readonly program: ProgramFacts;
  readonly delivery: DeliveryChoice;
  readonly warnings: readonly CopyWarning[];
}

const NAME_MAX = 120;

/**
 * The copy is a draft without dates. What the target does not allow is replaced by its default, with
 * a warning: nothing runs before somebody activates the draft.
 */
export function decideCopy(source: CopySource, target: CopyTarget): DecidedCopy {
  const { kind, name, config } = source.program;
  const warnings: CopyWarning[] = [];
  const options = methodOptions(target.connected);
  const methods = Object.fromEntries(
    BENEFIT_KINDS.map((benefit) => {
      const field = `${benefit}Method` as const;
      const method = source.delivery[field];
      if (options[benefit].includes(method)) return [field, method];
      warnings.push({
        code: 'method_not_available',
        message: `The project has no connection for ${method}: rewards of the kind ${benefit} are delivered by ${DEFAULT_DELIVERY[field]} in the copy.`,
      });
      return [field, DEFAULT_DELIVERY[field]];
    }),
  );
  const { landingPageUrl } = config.brandConfig;
  const isAllowed =
    landingPageUrl === '' || isLandingPageAllowed(landingPageUrl, target.environment);
  if (!isAllowed) {
    warnings.push({
      code: 'landing_page_not_allowed',
      message: `A ${target.environment} project does not allow the landing page ${landingPageUrl}: set another one before you activate the copy.`,
    });
  }
  const brandConfig = { ...config.brandConfig, landingPageUrl: isAllowed ? landingPageUrl : '' };
  return {
    program: {
      kind,
      name: target.name ?? (target.isSameProject ? `Copy of ${name}`.slice(0, NAME_MAX) : name),
      status: 'draft',
      startDate: null,
      endDate: null,
      config: { ...config, brandConfig },
    },
    delivery: { ...source.delivery, ...methods },
    warnings,
  };
}

interface Version {
  readonly version: number;
  readonly effectiveAt: Instant;
}

/** The version in force; before the first one is in force, that one. `versions` has at least one. */
export function pickVersion<T extends Version>(
  versions: readonly T[],
  now: Instant,
): T | undefined {
  const newestFirst = [...versions].sort((a, b) => b.version - a.version);
  return newestFirst.find(({ effectiveAt }) => effectiveAt <= now) ?? newestFirst.at(-1);
}
