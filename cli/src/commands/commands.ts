import { readDocument } from '../calls/document.ts';
import { operationCommand } from '../calls/operation-command.ts';
import { NAMES } from '../names.ts';
import type { Command } from './command.ts';
import { ownCommands } from './own-commands.ts';

/** All commands, in the order of the help. */
export function listCommands(): readonly Command[] {
  const document = readDocument();
  const ofOperations = Object.entries(NAMES).flatMap(([route, naming]) => {
    const [method = '', path = ''] = route.split(' ');
    const operation = document.paths[path]?.[method.toLowerCase()];
    if (!operation) return [];
    const named = typeof naming === 'string' ? { words: naming } : naming;
    return [operationCommand(document, route, operation, named)];
  });
  return [...ownCommands(document), ...ofOperations];
}
