type EventData = Readonly<Record<string, unknown>>;

/**
 * A later shape of events' data. Pure, and never changed after its release: an event always has the
 * same bytes in a version.
 */
export interface ApiVersion {
  /** Release date, `YYYY-MM-DD`. */
  readonly name: string;
  /** By type of event, how its data are derived from those of the previous version. Other types stay unchanged. */
  readonly changes: Readonly<Record<string, (data: EventData) => EventData>>;
}

/** The shapes in which events can be shown. See `docs/adr/0007-payload-versions.md`. */
export interface ApiVersions {
  /** Oldest first; names sort by age. */
  readonly names: readonly string[];
  readonly newest: string;
  /** Converts stored and completed data to the shape of a version. */
  shape(name: string, type: string, data: EventData): EventData;
  /** The same for JSON text, which stays the same byte for byte if nothing changes. */
  shapeText(name: string, type: string, data: string): string;
}

/** Events are stored in the shape of the first version, also after later versions exist. */
export function createApiVersions(first: string, later: readonly ApiVersion[] = []): ApiVersions {
  const names = [first, ...later.map(({ name }) => name)];
  for (const [index, name] of names.entries()) {
    const previous = names[index - 1];
    if (!/^\d{4}-\d\d-\d\d$/.test(name) || (previous !== undefined && name <= previous)) {
      throw new Error(`Versions are days, each later than the one before: ${names.join(', ')}.`);
    }
  }
  const steps = new Map(names.map((name, index) => [name, later.slice(0, index)]));
  const stepsOf = (name: string, type: string) => {
    const known = steps.get(name);
    if (!known) throw new Error(`This program does not know the version ${name}.`);
    return known.flatMap(({ changes }) => changes[type] ?? []);
  };
  const shape: ApiVersions['shape'] = (name, type, data) =>
    stepsOf(name, type).reduce((shaped, change) => change(shaped), data);
  return {
    names,
    newest: names[later.length] as string,
    shape,
    shapeText: (name, type, data) =>
      stepsOf(name, type).length === 0 ? data : JSON.stringify(shape(name, type, JSON.parse(data))),
  };
}

export const API_VERSIONS = createApiVersions('2026-10-04');
