import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { FOR_EVER, registerStaticFile } from '../../platform/http/server/static-file.ts';
import { shippedFile } from '../../platform/kit/root.ts';

/** Built from the workspace `widget/`. */
export const PANEL_FOLDER = shippedFile('widget/dist');

const PINNED = /-[0-9a-f]{16}\.\w+$/;

/** The panel and its languages, for pages of every origin. Only existing names are served. */
export function registerPanelFiles(app: FastifyInstance): void {
  for (const name of readdirSync(PANEL_FOLDER)) {
    const plain = readFileSync(join(PANEL_FOLDER, name));
    registerStaticFile(app, `/widget/${name}`, () => plain, {
      'cache-control': PINNED.test(name) ? FOR_EVER : 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
  }
}
