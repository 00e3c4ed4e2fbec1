/** One message of a stream of server-sent events. */
export interface StreamMessage {
  /** The last id received, from this message or an earlier one. */
  readonly id: string;
  readonly data: string;
}

/**
 * Parses server-sent events by the HTML standard: lines end with CR, LF or both, a message ends
 * with an empty line, and an incomplete message is dropped.
 */
export class EventStreamParser {
  /** How long to wait before reconnecting, as requested by the service. */
  retryMs: number | null = null;
  #decoder = new TextDecoder();
  #rest = '';
  #id = '';
  #data: string[] = [];

  push(bytes: Uint8Array): StreamMessage[] {
    // A CR at the end may be the first half of CRLF, so it stays in the buffer.
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split(
      /\r\n|\n|\r(?!$)/,
    );
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#take(line) ?? []);
  }

  #take(line: string): StreamMessage | undefined {
    if (line === '') {
      const data = this.#data.splice(0);
      return data.length > 0 ? { id: this.#id, data: data.join('\n') } : undefined;
    }
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
    return undefined;
  }
}
