import Type, { type TSchema } from 'typebox';
import Format from 'typebox/format';
import { parseInstant } from './instant.ts';

/** RFC 3339 with seconds and an offset; a date alone is refused. */
const INSTANT_FORMAT = 'date-time';
Format.Set(INSTANT_FORMAT, (text) => parseInstant(text) !== undefined);

/** A time in a request. Normalize it with `parseInstant`. */
export const InstantIn = Type.String({ format: INSTANT_FORMAT });
export const InstantOut = Type.String({ format: INSTANT_FORMAT, title: 'Timestamp' });

/** In a request: optional; null means the same. */
export const Opt = <T extends TSchema>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

/** In a response: always present, null when empty. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** An object of a request: an unknown field is refused, never silently dropped. */
export const Closed = <T extends Record<string, TSchema>>(
  properties: T,
  options: { title?: string; description?: string } = {},
) => Type.Object(properties, { ...options, additionalProperties: false });

/** One of a few words. */
export const OneOf = <const W extends string>(
  words: readonly W[],
  options: { description?: string; title?: string } = {},
) => Type.Unsafe<W>({ type: 'string', enum: [...words], ...options });

/** Text with at least one visible character, never trimmed. */
export const Text = (minLength: number, maxLength: number, description?: string) =>
  Type.String({
    minLength,
    maxLength,
    ...(minLength > 0 ? { pattern: '\\S' } : {}),
    ...(description === undefined ? {} : { description }),
  });

/**
 * What browsers accept in a field of type e-mail, with a dot in the domain. It excludes every
 * character that has a meaning in an address list or a mail header.
 */
export const EMAIL =
  "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$";

/** An address to send to. */
export const EmailText = (description: string) =>
  Type.String({ maxLength: 254, pattern: EMAIL, description });

/** An id created by this service, or any text sent in its place. */
export const IdText = (description?: string) => Text(1, 512, description);
export const ProjectIdText = Text(1, 128, 'The Project that the call is about.');
export const WidgetProjectIdText = Text(1, 512, 'The Project of the Widget token.');
export const ProjectKeyText = Text(1, 128, 'The public key of the Project.');
