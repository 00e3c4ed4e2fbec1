import Type, { type Static } from 'typebox';
import { Closed, InstantOut, OneOf, Opt, Text } from '../../platform/kit/schema.ts';

const SOURCE_KINDS = ['application', 'billing', 'import'] as const;
const Name = Text(1, 100);
const SourceKind = OneOf(SOURCE_KINDS, {
  description: 'An `import` source may report facts of any age.',
});

export const Source = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    name: Type.String(),
    key: Type.String({ description: 'Unique in the Project.' }),
    kind: SourceKind,
    enabled: Type.Boolean(),
    createdAt: InstantOut,
    updatedAt: InstantOut,
  },
  { title: 'Source' },
);
export type Source = Static<typeof Source>;

export const RegisterSource = Closed({
  name: Opt(Name),
  key: Opt(
    Type.String({
      pattern: '^[a-z0-9_-]{1,64}$',
      description: 'By default derived from the name.',
    }),
  ),
  kind: Opt(SourceKind),
});
export type RegisterSource = Static<typeof RegisterSource>;

export const ChangeSource = Closed({
  name: Type.Optional(Name),
  enabled: Type.Optional(Type.Boolean()),
});
export type ChangeSource = Static<typeof ChangeSource>;
