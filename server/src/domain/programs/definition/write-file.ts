import { stringify } from 'yaml';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { ProgramDefinition } from './definition-schema.ts';

interface Remarks {
  /** Where editors find the JSON Schema. */
  readonly schemaUrl: string;
  readonly scheduled: readonly {
    readonly path: string;
    readonly version: number;
    readonly effectiveAt: Instant;
  }[];
}

/** A definition as a YAML file. */
export function writeFile(
  definition: ProgramDefinition,
  { schemaUrl, scheduled }: Remarks,
): string {
  const remarks = scheduled.map(
    ({ path, version, effectiveAt }) =>
      `# Not in this file: version ${version} of ${path}, scheduled for ${effectiveAt}.\n`,
  );
  const body = stringify(definition, { lineWidth: 0, aliasDuplicateObjects: false });
  return `# yaml-language-server: $schema=${schemaUrl}\n${remarks.join('')}${body}`;
}
