import Type, { type Static, type TSchema } from 'typebox';
import {
  ACCEPTED_MINOR_PATTERN,
  MEASURE_PATTERN,
  MINOR_PATTERN,
  POSITIVE_MEASURE_PATTERN,
} from '../../platform/kit/money.ts';
import {
  Closed,
  IdText,
  InstantIn,
  InstantOut,
  Nullable,
  OneOf,
  Opt,
  Text,
} from '../../platform/kit/schema.ts';
import { BINDING_TRIGGERS, MODELS } from './policies/attribution-policy.ts';
import { PLATFORMS, WIDGET_ICONS, WIDGET_POSITIONS } from './program-config.ts';
import { PROGRAM_KINDS, PROGRAM_STATUSES } from './program-status.ts';
import {
  BENEFICIARY_ROLES,
  BENEFIT_KINDS,
  CALCULATIONS,
  DURATION_MODES,
  PURPOSES,
  REFUND_POLICIES,
  ROUNDING_POLICIES,
} from './rules/benefit-words.ts';
import {
  CHOICES_MAX,
  CONDITION_FIELDS,
  CONDITION_OPS,
  CONDITIONS_MAX,
} from './rules/conditions.ts';
import { MEASURES, STEPS_MAX, STEPS_MIN, WINDOWS } from './rules/measures.ts';

export const Name = Text(1, 120);
const Id = Type.String();
/** Names a Program in its Project, or a rule in its Program, for as long as it exists. */
export const Key = (description: string) =>
  Type.String({ pattern: '^[a-z][a-z0-9-]{0,62}$', description });
const programKey = Key('Names the Program in its Project, also in files. It never changes.');
const ruleKey = Key('Names the rule in its Program, also in files. It never changes.');
const Url = Type.String({ maxLength: 2048 });
const whole = (minimum: number, maximum: number, description?: string) =>
  Type.Integer({ minimum, maximum, ...(description === undefined ? {} : { description }) });

// Programs

const brandFields = {
  primaryColor: Type.String({ pattern: '^#[0-9A-Fa-f]{6}$' }),
  landingPageUrl: Type.String({
    maxLength: 2048,
    description: 'The page that referral links lead to. Empty until it is set.',
  }),
};
const cssVariableOptions = { maxProperties: 64, additionalProperties: false };
const widgetFields = <P extends TSchema>(enabledPlatforms: P) => ({
  position: OneOf(WIDGET_POSITIONS),
  triggerText: Type.String({ maxLength: 60 }),
  icon: OneOf(WIDGET_ICONS),
  title: Type.String({ maxLength: 120 }),
  subtitle: Type.String({ maxLength: 300 }),
  logoUrl: Url,
  // Excludes anything that could end the declaration, leave the style sheet or load a resource: no
  // url(…), src(…), image(…) or image-set(…).
  cssVariables: Type.Record(
    Type.String({ pattern: '^--[a-z0-9-]{1,64}$' }),
    Type.String({
      maxLength: 128,
      pattern:
        '^(?![\\s\\S]*([uU][rR][lL]|[sS][rR][cC]|[iI][mM][aA][gG][eE]|[sS][eE][tT])\\()[^;{}<>\\\\@]*$',
    }),
    cssVariableOptions,
  ),
  shareMessage: Type.String({ maxLength: 500 }),
  enabledPlatforms,
  referralLink: Type.String({
    maxLength: 2048,
    description: 'Always empty here; Widget init fills in the participant’s own link.',
  }),
  productName: Type.String({ maxLength: 80 }),
});
const platformFields = Object.fromEntries(
  PLATFORMS.map((platform) => [platform, Type.Boolean()]),
) as Record<(typeof PLATFORMS)[number], ReturnType<typeof Type.Boolean>>;

const partnerLeaderboard = Type.Boolean({
  description:
    'Whether partners see on their page who has the most referrals, with masked names and without amounts.',
});

export const ProgramConfig = Type.Object(
  {
    schemaVersion: Type.Literal(1),
    brandConfig: Type.Object(brandFields),
    partnerApplicationsOpen: Type.Boolean(),
    partnerLeaderboard,
    widgetConfig: Type.Object(widgetFields(Type.Object(platformFields))),
  },
  { title: 'ProgramConfig' },
);

/** Types of Events: the two built-in ones and the callers' own, which are case-sensitive. */
export const EVENT_TYPE_PATTERN = '^(signup|purchase|custom_[A-Za-z0-9_.:-]{1,57})$';

/** Every field is optional; null restores its default. */
type Loose<T extends Record<string, TSchema>> = { [K in keyof T]: ReturnType<typeof Opt<T[K]>> };
function loose<T extends Record<string, TSchema>>(fields: T): Loose<T> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, Opt(schema)]),
  ) as Loose<T>;
}

export const ConfigIn = Closed(
  {
    schemaVersion: Opt(Type.Literal(1)),
    brandConfig: Opt(Closed(loose(brandFields))),
    partnerApplicationsOpen: Opt(Type.Boolean()),
    partnerLeaderboard: Opt(partnerLeaderboard),
    widgetConfig: Opt(
      Closed({
        ...loose(widgetFields(Closed(loose(platformFields)))),
        referralLink: Opt(Type.Literal('', { description: 'Cannot be set.' })),
      }),
    ),
  },
  {
    title: 'ProgramConfigChange',
    description: 'An omitted field keeps its value; null resets it.',
  },
);

const programFields = {
  id: Id,
  createdAt: InstantOut,
  updatedAt: InstantOut,
  projectId: Id,
  kind: OneOf(PROGRAM_KINDS),
  key: programKey,
  name: Type.String(),
  status: OneOf(PROGRAM_STATUSES),
  startDate: Nullable(InstantOut),
  endDate: Nullable(InstantOut),
  config: ProgramConfig,
};
export const Program = Type.Object(programFields, { title: 'Program' });
export type Program = Static<typeof Program>;

export const ListedProgram = Type.Object(
  {
    ...programFields,
    enrollmentCount: Type.Integer({ description: 'Enrollments that are active now.' }),
    referralCount: Type.Integer({ description: 'All referrals ever bound.' }),
  },
  { title: 'ListedProgram' },
);
export type ListedProgram = Static<typeof ListedProgram>;

export const CreateProgram = Closed({
  kind: OneOf(PROGRAM_KINDS),
  key: Type.Optional(Key('Names the Program in files. Default: made from its name.')),
  name: Name,
  startDate: Opt(InstantIn),
  endDate: Opt(InstantIn),
  config: Opt(ConfigIn),
});
export type CreateProgram = Static<typeof CreateProgram>;

export const CopyProgram = Closed({
  programId: IdText('The Program to copy.'),
  fromProjectId: Type.Optional(
    IdText('The Project of that Program, in the same Workspace. Default: `projectId`.'),
  ),
  name: Type.Optional(Name),
});
export type CopyProgram = Static<typeof CopyProgram>;

export const CopyWarning = Type.Object(
  {
    code: OneOf(['method_not_available', 'landing_page_not_allowed'] as const),
    message: Type.String(),
  },
  { title: 'CopyWarning' },
);

export const ChangeProgram = Closed({
  name: Type.Optional(Name),
  startDate: Opt(InstantIn),
  endDate: Opt(InstantIn),
  config: Opt(ConfigIn),
});
export type ChangeProgram = Static<typeof ChangeProgram>;

export const ChangeProgramStatus = Closed({ status: OneOf(PROGRAM_STATUSES) });

// Attribution policies

export const AttributionPolicy = Type.Object(
  {
    id: Id,
    createdAt: InstantOut,
    updatedAt: InstantOut,
    projectId: Id,
    programId: Id,
    version: Type.Integer(),
    model: OneOf(MODELS),
    windowDays: Type.Integer(),
    bindingTrigger: OneOf(BINDING_TRIGGERS),
    effectiveAt: InstantOut,
    author: Type.String({ description: '`key:<id>` or `user:<id>`.' }),
  },
  { title: 'AttributionPolicy' },
);
export type AttributionPolicy = Static<typeof AttributionPolicy>;

/** Of a request that publishes a version. */
export const AfterVersion = Opt(
  Type.Integer({
    minimum: 0,
    description:
      'The newest version that the caller knows, 0 for none. If there is a newer one, the call is refused. If omitted, nothing is compared.',
  }),
);

export const PublishPolicy = Closed({
  model: Opt(OneOf(MODELS, { description: 'Which touch counts if there are several.' })),
  windowDays: Opt(
    whole(1, 365, 'How many days after a touch a referral can still be bound to it.'),
  ),
  bindingTrigger: Opt(OneOf(BINDING_TRIGGERS)),
  effectiveAt: Opt(InstantIn),
  afterVersion: AfterVersion,
});
export type PublishPolicy = Static<typeof PublishPolicy>;

// Delivery settings

const UNIT_KEY = '^[a-z][a-z0-9_]{0,63}$';
const PlanUpgrade = Closed({
  unitKey: Type.String({ pattern: UNIT_KEY }),
  plan: Text(1, 120),
  periods: whole(1, 36),
});
const Methods = Type.Array(Type.String());

export const DeliverySettings = Type.Object(
  {
    programId: Id,
    holdDays: Type.Integer(),
    cashMethod: Type.String(),
    creditMethod: Type.String(),
    discountMethod: Type.String(),
    customMethod: Type.String(),
    planUpgrades: Type.Array(PlanUpgrade),
    options: Type.Object({ cash: Methods, credit: Methods, discount: Methods, custom: Methods }),
    updatedAt: InstantOut,
  },
  { title: 'DeliverySettings' },
);
export type DeliverySettings = Static<typeof DeliverySettings>;

const readOnly = Type.Optional(
  Type.Unknown({
    description: 'Read-only and ignored, so you can send back the object that you read.',
  }),
);
export const ChangeDeliverySettings = Closed({
  holdDays: Opt(whole(0, 365, 'How many days the service waits before it delivers a Reward.')),
  cashMethod: Opt(Text(1, 64)),
  creditMethod: Opt(Text(1, 64)),
  discountMethod: Opt(Text(1, 64)),
  customMethod: Opt(Text(1, 64)),
  planUpgrades: Opt(Type.Array(PlanUpgrade, { maxItems: 50 })),
  programId: readOnly,
  options: readOnly,
  updatedAt: readOnly,
});
export type ChangeDeliverySettings = Static<typeof ChangeDeliverySettings>;

// Benefit rules and their terms

const Unit = Type.Object(
  { key: Type.String(), name: Type.String(), namePlural: Type.String() },
  { title: 'Unit' },
);

const ConditionScalar = Type.Union([
  Type.String({ maxLength: 1024 }),
  Type.Number(),
  Type.Boolean(),
]);
export const Condition = Closed(
  {
    field: Text(
      1,
      80,
      `${CONDITION_FIELDS.map((field) => `\`${field}\``).join(', ')} or \`properties.<key>\`. A field that an Event lacks fails its condition.`,
    ),
    op: OneOf(CONDITION_OPS, {
      description: '`gte` and `lte` compare whole numbers. `in` and `not_in` take a list.',
    }),
    value: Type.Union([
      ConditionScalar,
      Type.Array(ConditionScalar, { minItems: 1, maxItems: CHOICES_MAX }),
    ]),
  },
  { title: 'RewardCondition' },
);

export const RewardTerms = Type.Object(
  {
    id: Id,
    createdAt: InstantOut,
    updatedAt: InstantOut,
    projectId: Id,
    ruleId: Id,
    programId: Id,
    beneficiaryRole: OneOf(BENEFICIARY_ROLES),
    benefitKind: OneOf(BENEFIT_KINDS),
    version: Type.Integer(),
    publishedAt: InstantOut,
    effectiveAt: InstantOut,
    enabled: Type.Boolean(),
    calculation: OneOf(CALCULATIONS),
    fixedAmountMinor: Nullable(Type.String({ pattern: MINOR_PATTERN })),
    currency: Nullable(Type.String()),
    currencyExponent: Nullable(Type.Integer()),
    rateBps: Nullable(Type.Integer()),
    durationMode: OneOf(DURATION_MODES),
    durationMonths: Nullable(Type.Integer()),
    customUnitId: Nullable(Id),
    unit: Nullable(Unit),
    quantity: Nullable(Type.Integer()),
    validityDays: Nullable(Type.Integer()),
    maxRewardsPerBeneficiary: Nullable(Type.Integer()),
    conditions: Nullable(Type.Array(Condition)),
    tiers: Nullable(
      Type.Object(
        {
          measure: OneOf(MEASURES),
          window: OneOf(WINDOWS),
          steps: Type.Array(
            Type.Object({
              from: Type.String({ pattern: MINOR_PATTERN }),
              rateBps: Nullable(Type.Integer()),
              fixedAmountMinor: Nullable(Type.String({ pattern: MINOR_PATTERN })),
              quantity: Nullable(Type.Integer()),
            }),
          ),
        },
        { title: 'RewardTiers' },
      ),
    ),
    milestone: Nullable(
      Type.Object(
        {
          measure: OneOf(MEASURES),
          at: Type.String({ pattern: MINOR_PATTERN }),
          repeat: Type.Boolean(),
        },
        { title: 'RewardMilestone' },
      ),
    ),
    roundingPolicy: OneOf(ROUNDING_POLICIES),
    refundPolicy: OneOf(REFUND_POLICIES),
    author: Type.String({ description: '`key:<id>` or `user:<id>`.' }),
    changeNote: Nullable(Type.String()),
  },
  { title: 'RewardTermsVersion' },
);
export type RewardTerms = Static<typeof RewardTerms>;

export const TermsIn = Closed(
  {
    benefitKind: OneOf(BENEFIT_KINDS),
    changeNote: Opt(Type.String({ maxLength: 500 })),
    calculation: Opt(
      OneOf(CALCULATIONS, {
        description: 'Default: `fixed`. A discount is always a `percentage`.',
      }),
    ),
    fixedAmountMinor: Opt(Type.String({ pattern: ACCEPTED_MINOR_PATTERN })),
    currency: Opt(Type.String({ pattern: '^[A-Za-z]{3}$', description: 'ISO 4217.' })),
    currencyExponent: Opt(whole(0, 4, 'Number of decimals of the currency, as in ISO 4217.')),
    rateBps: Opt(whole(1, 10_000, 'Hundredths of a percent.')),
    durationMode: Opt(OneOf(DURATION_MODES)),
    durationMonths: Opt(whole(1, 120)),
    customUnitId: Opt(
      IdText('Id of an existing unit of the Project. Alternatively, describe the unit in `unit`.'),
    ),
    unit: Opt(
      Closed({
        key: Type.String({ pattern: UNIT_KEY }),
        name: Text(1, 80),
        namePlural: Text(1, 80),
      }),
    ),
    quantity: Opt(whole(1, 1_000_000)),
    validityDays: Opt(whole(1, 3_650, 'Number of days, counted from the grant.')),
    maxRewardsPerBeneficiary: Opt(whole(1, 1_000_000_000)),
    conditions: Opt(
      Type.Array(Condition, {
        maxItems: CONDITIONS_MAX,
        description: 'All must hold, or the rule gives nothing.',
      }),
    ),
    tiers: Opt(
      Closed(
        {
          measure: OneOf(MEASURES),
          window: Opt(OneOf(WINDOWS, { description: 'Default: `all_time`.' })),
          steps: Type.Array(
            Closed({
              from: Type.String({ pattern: MEASURE_PATTERN }),
              rateBps: Opt(whole(1, 10_000)),
              fixedAmountMinor: Opt(Type.String({ pattern: ACCEPTED_MINOR_PATTERN })),
              quantity: Opt(whole(1, 1_000_000)),
            }),
            { minItems: STEPS_MIN, maxItems: STEPS_MAX },
          ),
        },
        {
          description:
            'The size of the benefit grows with what the beneficiary has brought in this Program, this Event included. Each step has the field that the benefit needs. For `revenue`, `currency` names the currency.',
        },
      ),
    ),
    milestone: Opt(
      Closed(
        {
          measure: OneOf(MEASURES),
          at: Type.String({ pattern: POSITIVE_MEASURE_PATTERN }),
          repeat: Opt(
            Type.Boolean({ description: 'Earned at each multiple of `at`. Default: false.' }),
          ),
        },
        { description: 'When a `milestone` is earned: once for each beneficiary, or multiple.' },
      ),
    ),
    roundingPolicy: Opt(OneOf(ROUNDING_POLICIES)),
    refundPolicy: Opt(OneOf(REFUND_POLICIES)),
    enabled: Opt(Type.Boolean()),
    effectiveAt: Opt(InstantIn),
  },
  { title: 'RewardTerms' },
);
export type TermsIn = Static<typeof TermsIn>;

const ruleFields = {
  id: Id,
  createdAt: InstantOut,
  updatedAt: InstantOut,
  projectId: Id,
  programId: Id,
  eventType: Type.String(),
  beneficiaryRole: OneOf(BENEFICIARY_ROLES),
  purpose: OneOf(PURPOSES),
  key: ruleKey,
  name: Type.String(),
  initialEffectiveAt: InstantOut,
};
export const BenefitRule = Type.Object(ruleFields, { title: 'BenefitRule' });
export type BenefitRule = Static<typeof BenefitRule>;

export const CreatedRule = Type.Object(
  { ...ruleFields, terms: RewardTerms },
  { title: 'CreatedBenefitRule' },
);
export type CreatedRule = Static<typeof CreatedRule>;

export const CreateRule = Closed({
  programId: IdText(),
  eventType: Type.String({ pattern: EVENT_TYPE_PATTERN }),
  beneficiaryRole: OneOf(BENEFICIARY_ROLES),
  purpose: Opt(
    OneOf(PURPOSES, {
      description:
        'Default: `primary`. A Program has at most one primary rule for each event type and role.',
    }),
  ),
  key: Type.Optional(Key('Names the rule in files. Default: made from its name.')),
  name: Name,
  terms: TermsIn,
});
export type CreateRule = Static<typeof CreateRule>;

export const RenameRule = Closed({ name: Name });
export const RenamedRule = Type.Object({ ruleId: Id, name: Type.String() });
export const PublishTerms = Closed({ terms: TermsIn, afterVersion: AfterVersion });
export type PublishTerms = Static<typeof PublishTerms>;
