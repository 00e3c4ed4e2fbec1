import { PERMISSION_PRESETS, PERMISSIONS } from '../http/permissions.ts';
import { ENVIRONMENTS } from '../workspaces/schema.ts';
import type { Option } from './command.ts';

const presets = Object.keys(PERMISSION_PRESETS);

export function required(value: string, about: string): Option & { readonly needed: 'always' } {
  return { needed: 'always', value, about };
}

export const workspace = required('<id>', 'The workspace, ws_…');
export const project = required('<id>', 'The project, prj_…');
export const key = required('<id>', 'The key’s id, key_…; not the key itself');
export const secret = required('<id>', 'The secret’s id, wsk_…; not the secret itself');

export const allowedOrigin = {
  needed: 'repeatable',
  value: '<origin>',
  about: 'A site whose pages may show the widget, such as https://example.com',
} as const satisfies Option;

export const environment = {
  ...required('<environment>', `One of ${ENVIRONMENTS.join(', ')}`),
  check: (value) =>
    (ENVIRONMENTS as readonly string[]).includes(value)
      ? undefined
      : `must be one of ${ENVIRONMENTS.join(', ')}, not "${value}"`,
} as const satisfies Option;

export const permissions = {
  ...required('<permissions>', `One of ${presets.join(', ')}, or permissions with commas between`),
  check: checkPermissions,
} as const satisfies Option;

export const limit = {
  needed: 'sometimes',
  value: '<number>',
  about: 'How many to show, newest first',
  fallback: '50',
  check: (value) => checkInteger(value, 1, 10_000),
} as const satisfies Option;

export const oldKeyEndsAfterHours = {
  needed: 'sometimes',
  value: '<hours>',
  about: 'How long the old key still works, 0 to 168',
  fallback: '24',
  check: (value) => checkInteger(value, 0, 168),
} as const satisfies Option;

/** A preset goes to the service by its name, anything else as a list. */
export function toPermissions(text: string): string | string[] {
  return presets.includes(text) ? text : text.split(',').map((word) => word.trim());
}

function checkPermissions(text: string): string | undefined {
  const asked = toPermissions(text);
  if (typeof asked === 'string') return undefined;
  const unknown = asked.filter((word) => !(PERMISSIONS as readonly string[]).includes(word));
  if (unknown.length === 0) return undefined;
  const names = unknown.map((word) => `"${word}"`).join(', ');
  return `knows no ${names}. Give one of ${presets.join(', ')}, or some of ${PERMISSIONS.join(',')}`;
}

function checkInteger(text: string, min: number, max: number): string | undefined {
  const isWithin = /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
  return isWithin ? undefined : `must be a whole number from ${min} to ${max}, not "${text}"`;
}
