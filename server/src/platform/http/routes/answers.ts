import type { TSchema } from 'typebox';
import Type from 'typebox';

/** `{success: true, data}`: the response of most routes. */
export const Success = <T extends TSchema>(data: T) =>
  Type.Object({ success: Type.Literal(true), data });

export function success<T>(data: T): { success: true; data: T } {
  return { success: true, data };
}

/** A response that its handler has written as JSON itself, for speed. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A response that is a file with a table. */
export class CsvText {
  readonly fileName: string;
  readonly text: string;

  constructor(fileName: string, text: string) {
    this.fileName = fileName;
    this.text = text;
  }
}

/** The same in any length: sent piece by piece, no faster than it is read. */
export class CsvPages {
  readonly fileName: string;
  readonly pages: AsyncIterable<string>;

  constructor(fileName: string, pages: AsyncIterable<string>) {
    this.fileName = fileName;
    this.pages = pages;
  }
}

/** A response that signs a browser in or out. */
export class WithCookies<T> {
  readonly answer: T;
  readonly cookies: readonly string[];

  constructor(answer: T, cookies: readonly string[]) {
    this.answer = answer;
    this.cookies = cookies;
  }
}

/** A message of a stream. None of its parts has a line break. */
export interface StreamMessage {
  /** Sent by the reader as `Last-Event-ID` to continue after it. */
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/** Messages, a few at a time and no faster than they are read, until `stopping` is aborted. */
export type OpenStream = (stopping: AbortSignal) => AsyncIterable<readonly StreamMessage[]>;
