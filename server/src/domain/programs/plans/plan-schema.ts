import Type, { type Static, type TSchema } from 'typebox';
import { Closed, IdText, InstantOut, OneOf } from '../../../platform/kit/schema.ts';
import { ProgramDefinition } from '../definition/definition-schema.ts';

const PLAN_ACTIONS = ['create', 'publish', 'change', 'end', 'none'] as const;

export const PlanChange = Type.Object(
  {
    action: OneOf(PLAN_ACTIONS, {
      description:
        '`create`: a new Program or rule. `publish`: the next version of terms or a policy. `change`: another value of a setting. `end`: a rule is disabled by its next version. `none`: something to know, which stays as it is.',
    }),
    path: Type.String({ description: 'Where it is in the file; empty for the whole Program.' }),
    from: Type.Unknown({ description: 'What is in force; null if there is nothing.' }),
    to: Type.Unknown({ description: 'What will be in force.' }),
    sentence: Type.String({ description: 'The change in words, for people.' }),
  },
  { title: 'ProgramPlanChange' },
);
export type PlanChange = Static<typeof PlanChange>;

const Digest = Type.String({
  description: 'SHA-256 of the definition: the same for YAML and JSON of the same contents.',
});

const planFields = {
  planId: Type.String(),
  programId: Type.Union([Type.String(), Type.Null()], {
    description: 'Null if the plan creates the Program.',
  }),
  changes: Type.Array(PlanChange),
  isEmpty: Type.Boolean({ description: 'Whether applying it would change nothing.' }),
  digest: Digest,
};

export const ProgramPlan = Type.Object(
  {
    ...planFields,
    file: Type.String({ description: 'The Program as it will be, as YAML.' }),
    inForce: Type.Union([Type.String(), Type.Null()], {
      description: 'The Program as it is, as YAML; null if the plan creates it.',
    }),
    createdAt: InstantOut,
    expiresAt: InstantOut,
  },
  { title: 'ProgramPlan' },
);
export type ProgramPlan = Static<typeof ProgramPlan>;

export const AppliedPlan = Type.Object(
  { ...planFields, programId: Type.String(), appliedAt: InstantOut, appliedBy: Type.String() },
  { title: 'AppliedProgramPlan' },
);
export type AppliedPlan = Static<typeof AppliedPlan>;

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const KeptPlan = Type.Object(
  {
    ...planFields,
    createdAt: InstantOut,
    expiresAt: InstantOut,
    appliedAt: nullable(InstantOut),
    appliedBy: nullable(Type.String()),
  },
  { title: 'KeptProgramPlan' },
);
export type KeptPlan = Static<typeof KeptPlan>;

export const CreatePlan = Closed({
  programId: Type.Optional(
    IdText('The Program to change. Default: the one with the `key` of the definition.'),
  ),
  definition: Type.Unknown({
    description:
      'A Program as code: YAML or JSON as one text, or an object. Its schema is `/schemas/program-v1.json`.',
  }),
  prune: Type.Optional(
    Type.Boolean({
      description: 'Whether rules that the definition lacks are disabled. Default: false.',
    }),
  ),
});

const ScheduledChange = Type.Object(
  {
    path: Type.String(),
    version: Type.Integer(),
    effectiveAt: InstantOut,
  },
  {
    title: 'ScheduledProgramVersion',
    description: 'A published version that takes effect later. No definition contains it.',
  },
);

export const DefinitionAnswer = Type.Object({
  success: Type.Literal(true),
  data: ProgramDefinition,
  file: Type.String({ description: 'The same as a YAML file, with comments.' }),
  scheduled: Type.Array(ScheduledChange),
});
