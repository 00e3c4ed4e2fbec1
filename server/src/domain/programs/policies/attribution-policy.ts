export const MODELS = ['last_touch', 'first_touch'] as const;
export const BINDING_TRIGGERS = ['signup', 'subscription'] as const;

export interface PolicyChoice {
  readonly model: (typeof MODELS)[number];
  readonly windowDays: number;
  readonly bindingTrigger: (typeof BINDING_TRIGGERS)[number];
}

export const DEFAULT_POLICY: PolicyChoice = {
  model: 'last_touch',
  windowDays: 90,
  bindingTrigger: 'signup',
};
