/** A participant as the service names it. */
export interface Named {
  readonly participantId: string;
  readonly externalId: string | null;
  readonly name: string | null;
}

export type Names = ReadonlyMap<string, Named>;
type Row = Readonly<Record<string, unknown>>;

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field with the id of a participant: `participantId`, `referrerParticipantId`. */
const ID_FIELD = /^(?:(.+)P|p)articipantId$/;

/** A participant within an answer, rather than an object that belongs to one. */
export function isParty(value: unknown): value is Row {
  return isRow(value) && typeof value.participantId === 'string' && 'externalId' in value;
}

/** The ids of all participants in an answer, each once. */
export function participantIdsIn(answer: unknown): string[] {
  const ids = new Set<string>();
  const look = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) look(one);
    if (!isRow(value)) return;
    for (const [field, inner] of Object.entries(value)) {
      if (ID_FIELD.test(field) && typeof inner === 'string') ids.add(inner);
      else look(inner);
    }
  };
  look(answer);
  return [...ids];
}

/**
 * The answer with the names of participants beside their ids: a participant in it gets a `name`, and
 * `referrerParticipantId` a `referrerName`. Without a name, the latter is the external id.
 */
export function addNames<T>(answer: T, names: Names): T {
  return (names.size === 0 ? answer : add(answer, names)) as T;
}

function add(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((one) => add(one, names));
  if (!isRow(value)) return value;
  const fields = Object.entries(value).flatMap(([field, inner]): [string, unknown][] => {
    const [isId, prefix] = ID_FIELD.exec(field) ?? [];
    const found = isId && typeof inner === 'string' ? names.get(inner) : undefined;
    if (!found || isParty(value)) return [[field, add(inner, names)]];
    const label = found.name ?? found.externalId;
    return [[field, inner], ...(label ? [[nameField(prefix), label] as [string, string]] : [])];
  });
  const known = isParty(value) ? names.get(String(value.participantId)) : undefined;
  return Object.fromEntries([...fields, ...(known?.name ? [['name', known.name]] : [])]);
}

const nameField = (prefix: string | undefined): string => `${prefix ?? 'participant'}Name`;

/** `42 (Ada)`; a partner, who has no external id, by name. */
export function describeParty({ externalId, name, participantId }: Row): string {
  if (typeof externalId !== 'string') return String(name ?? participantId);
  return typeof name === 'string' ? `${externalId} (${name})` : externalId;
}
