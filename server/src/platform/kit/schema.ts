import Type, { type TSchema } from 'typebox';
import Format from 'typebox/format';
import { parseInstant } from './instant.ts';
import { readMailbox } from './mailbox.ts';

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
  options: { description?: string; title?: string; default?: W } = {},
) => Type.Unsafe<W>({ type: 'string', enum: [...words], ...options });

/** Text with at least one visible character, never trimmed. */
export const Text = (minLength: number, maxLength: number, description?: string) =>
  Type.String({
    minLength,
    maxLength,
    ...(minLength > 0 ? { pattern: '\\S' } : {}),
    ...(description === undefined ? {} : { description }),
  });

export const LINE_PATTERN =
  '^[^\\n\\r\\u0085\\u2028\\u2029]*[^\\s\\u0085][^\\n\\r\\u0085\\u2028\\u2029]*$';
/** The same, without line breaks. */
export const LineText = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: LINE_PATTERN, description });

/** The ASCII addresses that can be mailed: what providers, sign-in forms and every SMTP server take. */
const EMAIL_FORMAT = 'email';
/** Every address that can be mailed, also with letters outside ASCII. */
const IDN_EMAIL_FORMAT = 'idn-email';
Format.Set(EMAIL_FORMAT, (text) => /^[\x21-\x7e]*$/.test(text) && readMailbox(text) !== null);
Format.Set(IDN_EMAIL_FORMAT, (text) => readMailbox(text) !== null);
export const EMAIL_FORMATS: readonly string[] = [EMAIL_FORMAT, IDN_EMAIL_FORMAT];

const EMAIL_LENGTH_MAX = 254;

/** The address of somebody who signs in, applies or is paid, or of a sender. */
export const EmailText = (description: string) =>
  Type.String({ maxLength: EMAIL_LENGTH_MAX, format: EMAIL_FORMAT, description });

/** The address of a person whom the product knows. */
export const PersonEmailText = (description: string) =>
  Type.String({ maxLength: EMAIL_LENGTH_MAX, format: IDN_EMAIL_FORMAT, description });

/** A count that may be large, as text. */
export const COUNT_PATTERN = '^(0|[1-9][0-9]{0,11})$';
/** An address that is only compared with stored ones. Earlier versions stored some that cannot be mailed. */
export const STORED_EMAIL = '^[^\\s@]+@[^\\s@]+$';
export const StoredEmailText = (description: string) =>
  Type.String({ maxLength: 320, pattern: STORED_EMAIL, description });

/** An id created by this service, or any text sent in its place. */
export const IdText = (description?: string) => Text(1, 512, description);
/**
 * An id in a query that must name something of this kind in the Project. Every route refuses others with NOT_FOUND,
 * before its handler is called.
 */
export const IdOf = (what: string, description?: string) =>
  Type.String({ ...IdText(description), 'x-names': what });
export const ProjectIdText = Text(1, 128, 'The Project that the call is about.');
export const WidgetProjectIdText = Text(1, 512, 'The Project of the Widget token.');
export const ProjectKeyText = Text(1, 128, 'The public key of the Project.');
