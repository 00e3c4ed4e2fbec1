import { readFileSync } from 'node:fs';

/** The description of the API, as JSON. The build inlines it into the program. */
export const OPENAPI_TEXT = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8');
