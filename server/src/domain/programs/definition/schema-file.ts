import { ProgramDefinition } from './definition-schema.ts';

export const SCHEMA_PATH = '/schemas/program-v1.json';

/** The JSON Schema of a definition, for editors: the schema that the service itself checks files with. */
export function describeSchema(baseUrl: string): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${baseUrl}${SCHEMA_PATH}`,
    ...ProgramDefinition,
  };
}
