import type { Body } from '../../../api/client.ts';
import { originOf } from '../landing-page.ts';
import { describePolicy, isDefaultPolicy, toPolicy } from '../policy-words.ts';
import { describeTerms, nameOf } from '../terms/describe-terms.ts';
import { toBody, toFacts } from '../terms/terms-form.ts';
import { deliveryBody, kindsOf, methodOf, sayMethod } from './delivery.ts';
import { type Draft, type Role, rolesOf, ruleOf } from './draft.ts';

type Unbound<T> = Omit<T, 'projectId' | 'programId'>;

/** One thing to create; its references are filled in when it is sent. */
export type Task = { readonly id: string; readonly label: string } & (
  | { readonly type: 'program'; readonly body: Unbound<Body<'/v1/programs'>> }
  | {
      readonly type: 'policy';
      readonly body: Unbound<Body<'/v1/programs/{programId}/attribution-policies'>>;
    }
  | { readonly type: 'delivery'; readonly body: NonNullable<ReturnType<typeof deliveryBody>> }
  | { readonly type: 'rule'; readonly body: Unbound<Body<'/v1/benefit-rules'>> }
  | { readonly type: 'origin'; readonly body: { readonly allowedOrigins: string[] } }
  | { readonly type: 'status'; readonly body: { readonly status: 'active' } }
);

export interface PlanFacts {
  /** Null if the user may not change them. */
  readonly allowedOrigins: readonly string[] | null;
  readonly environment: 'sandbox' | 'live';
}

/** Everything that a draft creates, in order. */
export function planOf(draft: Draft, facts: PlanFacts): readonly Task[] {
  const { kind } = draft;
  const { allowedOrigins } = facts;
  const tasks: Task[] = [programTask(draft)];
  const policy = toPolicy(draft.policy);
  if (kind !== 'loyalty' && policy && !isDefaultPolicy(policy)) {
    tasks.push({
      id: 'policy',
      type: 'policy',
      label: describePolicy(policy, kind),
      body: policy,
    });
  }
  // Before the rules: what is earned keeps the settings that it was earned under.
  const delivery = deliveryBody(draft, facts.environment);
  if (delivery) {
    tasks.push({
      id: 'delivery',
      type: 'delivery',
      label: kindsOf(draft)
        .map((one) => sayMethod(one, methodOf(draft, one), delivery.holdDays))
        .join(' '),
      body: delivery,
    });
  }
  for (const role of rolesOf(kind)) {
    if (draft.sides[role].isOn) tasks.push(ruleTask(draft, role));
  }
  const origin = missingOrigin(draft, allowedOrigins);
  if (origin !== null && draft.allowsOrigin) {
    tasks.push({
      id: 'origin',
      type: 'origin',
      label: `Pages of ${origin} may call the service.`,
      body: { allowedOrigins: [...(allowedOrigins ?? []), origin] },
    });
  }
  if (draft.activates) {
    tasks.push({
      id: 'status',
      type: 'status',
      label: 'The program is activated and starts.',
      body: { status: 'active' },
    });
  }
  return tasks;
}

/** The landing page's origin, if it is not allowed and the user may allow it. */
export function missingOrigin(
  { kind, landingPageUrl }: Pick<Draft, 'kind' | 'landingPageUrl'>,
  allowedOrigins: readonly string[] | null,
): string | null {
  const origin = kind === 'loyalty' ? null : originOf(landingPageUrl);
  return origin === null || allowedOrigins === null || allowedOrigins.includes(origin)
    ? null
    : origin;
}

function programTask({ kind, name, landingPageUrl, partnerApplicationsOpen }: Draft): Task {
  const config = {
    ...(kind === 'loyalty' ? {} : { brandConfig: { landingPageUrl: landingPageUrl.trim() } }),
    ...(kind === 'affiliate' ? { partnerApplicationsOpen } : {}),
  };
  return {
    id: 'program',
    type: 'program',
    label: `The program “${name.trim()}” is created as a draft.`,
    body: { kind, name: name.trim(), ...(kind === 'loyalty' ? {} : { config }) },
  };
}

function ruleTask(draft: Draft, role: Role): Task {
  const { terms } = draft.sides[role];
  const rule = ruleOf(draft.sides[role], role);
  const sentences = describeTerms({ kind: draft.kind, ...rule }, toFacts(terms, rule));
  return {
    id: `rule-${role}`,
    type: 'rule',
    label: sentences.join(' '),
    body: {
      ...rule,
      name: nameOf(sentences[0] ?? ''),
      terms: toBody(terms, rule),
    },
  };
}
