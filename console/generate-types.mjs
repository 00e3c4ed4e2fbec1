import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

/** The API's types, made from the document that the server is described by. */
const source = fileURLToPath(new URL('../openapi.json', import.meta.url));
const target = fileURLToPath(new URL('./generated/api.d.ts', import.meta.url));
const types = astToString(await openapiTS(JSON.parse(readFileSync(source, 'utf8'))));
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, types);
