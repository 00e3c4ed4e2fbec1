/** The destination of a value: the call's path, query, headers or body, or the command itself. */
type Place = 'path' | 'query' | 'header' | 'body' | 'command';

/** An option of a command: `--name value`. */
export interface Flag {
  /** Without the dashes: `reason-code`, or `participant.external-id` for a nested field. */
  readonly name: string;
  /** Other accepted names. */
  readonly also: readonly string[];
  /** One letter, for one dash. */
  readonly short?: string;
  readonly place: Place;
  /** The names that lead to the field: `['participant', 'externalId']`. */
  readonly path: readonly string[];
  readonly type: 'text' | 'integer' | 'boolean' | 'json' | 'participant';
  /** May be repeated, or contain several values separated by commas. */
  readonly isList: boolean;
  readonly isRequired: boolean;
  /** The field can be cleared, with `--clear`. */
  readonly isNullable: boolean;
  /** Not accepted on the command line, which other users of the machine can read. */
  readonly isSecret: boolean;
  /** The only allowed values. */
  readonly words: readonly string[] | null;
  /** Words that stand for a whole list, such as a preset of permissions. */
  readonly presets: readonly string[];
  readonly min: number | null;
  readonly max: number | null;
  readonly about: string;
  /** The placeholder for the value in the help. */
  readonly value: string;
}

export type Value = string | number | boolean | object | readonly Value[] | null;

/** A flag of the command itself, which is not part of a call. */
export function commandFlag(
  name: string,
  about: string,
  rest: Partial<
    Pick<Flag, 'type' | 'isRequired' | 'words' | 'presets' | 'min' | 'max' | 'value' | 'isList'>
  > = {},
): Flag {
  return {
    name,
    about,
    also: [],
    place: 'command',
    path: [name],
    type: 'text',
    isList: false,
    isRequired: false,
    isNullable: false,
    isSecret: false,
    words: null,
    presets: [],
    min: null,
    max: null,
    value: `<${name}>`,
    ...rest,
  };
}

export type Read =
  | { readonly value: Value; readonly issue?: undefined }
  | { readonly issue: string };

/** The value of a text, or what is wrong with it, as the end of a sentence. */
export function readValue(flag: Flag, text: string): Read {
  if (flag.isList && flag.type !== 'json') return readList(flag, text);
  return readOne(flag, text);
}

function readList(flag: Flag, text: string): Read {
  if (text === '') return { value: [] };
  if (flag.presets.includes(text)) return { value: text };
  const reads = text.split(',').map((part) => readOne(flag, part.trim()));
  const wrong = reads.find((read) => read.issue !== undefined);
  if (wrong) return wrong;
  return { value: reads.map((read) => (read as { value: Value }).value) };
}

function readOne(flag: Flag, text: string): Read {
  switch (flag.type) {
    case 'integer':
      return readInteger(flag, text);
    case 'boolean':
      if (text === 'true' || text === 'false') return { value: text === 'true' };
      return { issue: `must be true or false, not "${text}"` };
    case 'json':
      return readJson(text);
    case 'participant':
      return readParticipant(text);
    case 'text':
      if (flag.words === null || flag.words.includes(text)) return { value: text };
      return {
        issue: `must be one of ${[...flag.presets, ...flag.words].join(', ')}, not "${text}"`,
      };
  }
}

function readInteger({ min, max }: Flag, text: string): Read {
  const value = Number(text);
  const isWithin = value >= (min ?? -Infinity) && value <= (max ?? Infinity);
  if (/^-?\d{1,15}$/.test(text) && isWithin) return { value };
  const range = min === null ? '' : max === null ? `, ${min} or more` : ` from ${min} to ${max}`;
  return { issue: `must be a whole number${range}, not "${text}"` };
}

function readJson(text: string): Read {
  try {
    return { value: JSON.parse(text) as Value };
  } catch {
    return { issue: 'must be JSON' };
  }
}

/** A person by their id in the caller's product, a group as `group:acme`. */
function readParticipant(text: string): Read {
  const [, kind = 'individual', externalId = ''] =
    /^(?:(individual|group):)?(.*)$/s.exec(text) ?? [];
  if (externalId === '') return { issue: 'must be an id of your product, or group:<id>' };
  return { value: { kind, externalId } };
}
