/** Fields whose flags have shorter names. */
const SHORT: Readonly<Record<string, string>> = {
  workspaceId: 'workspace',
  projectId: 'project',
  fromProjectId: 'from-project',
  programId: 'program',
  participantId: 'participant',
  beneficiaryParticipantId: 'beneficiary',
  referrerParticipantId: 'referrer',
  refereeParticipantId: 'referee',
  sourceNamespaceId: 'source',
  eventId: 'event',
  endpointId: 'endpoint',
  batchId: 'batch',
};

/** Fields of request bodies that contain a secret. */
const SECRETS = new Set([
  'restrictedKey',
  'webhookSecret',
  'clientSecret',
  'secretKey',
  'token',
  'password',
]);

/** `reasonCode` is `--reason-code`; a nested field has a dot: `--participant.external-id`. */
export function flagName(path: readonly string[]): string {
  return path.map((name) => SHORT[name] ?? toKebab(name)).join('.');
}

/** `rewardId` in a path is `--reward`. */
export function pathFlagName(name: string): string {
  return SHORT[name] ?? toKebab(name.replace(/(?<=.)Id$/, ''));
}

/** `--event-types` can also be written in the singular: `--event-type`. */
export function singularOf(name: string): string[] {
  return name.endsWith('s') ? [name.slice(0, -1)] : [];
}

export const isSecretField = (name: string): boolean => SECRETS.has(name);

export function toKebab(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}
