type EventData = Readonly<Record<string, unknown>>;

/**
 * A shape of events' data that is not the first. Pure, and never changed once it is out: the same
 * event has the same bytes in a version for ever.
 */
export interface ApiVersion {
  /** The day it came out, `YYYY-MM-DD`. */
  readonly name: string;
  /**
   * By type of event, how its data are made from those of the version before. Types that are not
   * here stay as they were.
   */
  readonly changes: Readonly<Record<string, (data: EventData) => EventData>>;
}

/** The shapes that events can be shown in. See `docs/adr/0007-payload-versions.md`. */
export interface ApiVersions {
  /** Oldest first; comparing names compares their age. */
  readonly names: readonly string[];
  readonly newest: string;
  /** Brings data, as they are stored and filled in, into the shape of a version. */
  shape(name: string, type: string, data: EventData): EventData;
  /** The same of data in JSON, which stay as they are, byte for byte, where nothing changes. */
  shapeText(name: string, type: string, data: string): string;
}

/** Events are stored in the shape of the first version, those written after later ones too. */
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
