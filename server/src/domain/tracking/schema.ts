import Type, { type Static } from 'typebox';
import { Closed, InstantOut, OneOf, Opt, Text } from '../../platform/kit/schema.ts';

const SOURCE_KINDS = ['application', 'billing', 'import'] as const;
const Name = Text(1, 100);
const SourceKind = OneOf(SOURCE_KINDS, {
  description: 'Facts of an `import` source may lie any time back.',
});

export const Source = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    name: Type.String(),
    key: Type.String({ description: 'Names the source once per Project.' }),
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
      description: 'Made from the name unless told.',
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
