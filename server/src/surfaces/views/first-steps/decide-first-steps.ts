import type { FirstFacts } from './first-steps-queries.ts';

/** In the order in which somebody new takes them. */
export const FIRST_STEPS = [
  'program',
  'api_key',
  'source',
  'landing_script',
  'first_click',
  'first_event',
  'first_signup',
  'delivery',
  'widget',
] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** Which steps are done. A browser has a handle only from the landing script. */
export function decideFirstSteps(facts: FirstFacts): { step: FirstStep; isDone: boolean }[] {
  const done: Record<FirstStep, boolean> = {
    program: facts.hasProgram,
    api_key: facts.hasApiKey,
    source: facts.hasSource,
    landing_script: facts.hasLanding,
    first_click: facts.hasClick || facts.hasLanding,
    first_event: facts.hasEvent,
    first_signup: facts.hasSignup,
    delivery: facts.hasEndpoint || facts.paysOut,
    widget: facts.hasWidgetSecret,
  };
  return FIRST_STEPS.map((step) => ({ step, isDone: done[step] }));
}
