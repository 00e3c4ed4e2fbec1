import Type, { type Static } from 'typebox';
import { Closed, InstantIn, OneOf, Opt } from '../../../platform/kit/schema.ts';
import { riskChanges } from '../policies/risk-schema.ts';
import { PROGRAM_KINDS } from '../program-status.ts';
import { BENEFICIARY_ROLES, PURPOSES } from '../rules/benefit-words.ts';
import {
  ChangeDeliverySettings,
  ConfigIn,
  EVENT_TYPE_PATTERN,
  Key,
  Name,
  PublishPolicy,
  TermsIn,
} from '../schema.ts';

export const API_VERSION = 'goodword/v1';
export const DOCUMENT_KIND = 'Program';

// A definition says what is in force. Notes and times belong to the versions that a plan publishes, and
// ids to one Project.
const {
  changeNote: _note,
  effectiveAt: _from,
  customUnitId: _unitId,
  ...termsFields
} = TermsIn.properties;
const { effectiveAt: _since, ...policyFields } = PublishPolicy.properties;
const {
  programId: _programId,
  options: _options,
  updatedAt: _updatedAt,
  ...deliveryFields
} = ChangeDeliverySettings.properties;

export const DefinitionTerms = Closed(termsFields, {
  title: 'ProgramDefinitionTerms',
  description:
    'What the rule gives, as a whole: a field that is left out has its default, as in the API. A change publishes the next version.',
});
export type DefinitionTerms = Static<typeof DefinitionTerms>;

export const DefinitionRule = Closed(
  {
    name: Type.Optional(Name),
    eventType: Type.Optional(
      Type.String({
        pattern: EVENT_TYPE_PATTERN,
        description:
          '`signup`, `purchase`, or `custom_` and a name of your own. It never changes, and neither do the role and the purpose.',
      }),
    ),
    beneficiaryRole: Type.Optional(OneOf(BENEFICIARY_ROLES)),
    purpose: Type.Optional(
      OneOf(PURPOSES, {
        description:
          'Default: `primary`. A Program has at most one primary rule for each event type and role.',
      }),
    ),
    terms: Type.Optional(DefinitionTerms),
  },
  {
    title: 'ProgramDefinitionRule',
    description: 'A new rule needs a name, an event type, a beneficiary role and terms.',
  },
);
export type DefinitionRule = Static<typeof DefinitionRule>;

/** A Program as a file. A field that is left out is left alone. */
export const ProgramDefinition = Closed(
  {
    $schema: Type.Optional(
      Type.String({ maxLength: 2048, description: 'For editors. It has no effect.' }),
    ),
    apiVersion: Type.Literal(API_VERSION),
    kind: Type.Literal(DOCUMENT_KIND),
    key: Type.Optional(
      Key(
        'Names the Program in its Project: applying the file again finds it by its key. It never changes.',
      ),
    ),
    programKind: Type.Optional(
      OneOf(PROGRAM_KINDS, {
        description: 'Whether people or partners refer, or own events count. It never changes.',
      }),
    ),
    name: Type.Optional(Name),
    startDate: Opt(InstantIn),
    endDate: Opt(InstantIn),
    config: Type.Optional(ConfigIn),
    deliverySettings: Type.Optional(
      Closed(deliveryFields, { description: 'How rewards earned from now on are delivered.' }),
    ),
    attributionPolicy: Type.Optional(
      Closed(policyFields, {
        description: 'A change publishes the next version. Not for a loyalty Program.',
      }),
    ),
    riskPolicy: Type.Optional(
      Closed(riskChanges, {
        description: 'A change publishes the next version. Not for a loyalty Program.',
      }),
    ),
    rules: Opt(
      Type.Record(Key('The key of the rule.'), DefinitionRule, {
        additionalProperties: false,
        maxProperties: 100,
        description:
          'Rules by their keys. A key is unique in the Program, and a rule keeps it for ever.',
      }),
    ),
  },
  {
    title: 'ProgramDefinition',
    description:
      'A Program as a file. What is left out is left alone; null restores a default or clears a date.',
  },
);
export type ProgramDefinition = Static<typeof ProgramDefinition>;
