import { readFileSync } from 'node:fs';

/** The description of the API, as JSON. The build puts it here, so that the program has it in itself. */
export const OPENAPI_TEXT = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8');
