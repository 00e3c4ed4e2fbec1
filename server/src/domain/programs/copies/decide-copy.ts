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
  readonly name: string;
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

/**
 * The copy is a draft without dates. What the target does not allow is replaced by its default, with
 * a warning: nothing runs before somebody activates the draft.
 */
export function decideCopy(source: CopySource, target: CopyTarget): DecidedCopy {
  const { kind, config } = source.program;
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
      name: target.name,
      status: 'draft',
      startDate: null,
      endDate: null,
      config: { ...config, brandConfig },
    },
    delivery: { ...source.delivery, ...methods },
    warnings,
  };
}

const NAME_MAX = 120;

/**
 * The name of the original, as a copy if it is beside it, with a number if there is one of that name:
 * two programs may have the same name, but people tell them apart by it.
 */
export function proposeName(
  original: string,
  isSameProject: boolean,
  taken: ReadonlySet<string>,
): string {
  const base = isSameProject ? `Copy of ${original}` : original;
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : ` ${number}`;
    // Half a character cannot be stored.
    const start = base.slice(0, NAME_MAX - ending.length).replace(/[\uD800-\uDBFF]$/, '');
    const name = start + ending;
    if (!taken.has(name)) return name;
  }
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
