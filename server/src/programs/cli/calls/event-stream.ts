/** One message of a stream of server-sent events. */
export interface Message {
  readonly id: string;
  readonly data: string;
}

/** Takes a stream apart, whatever pieces it comes in. */
export function createStreamReader(): (piece: string) => Message[] {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const fields = block.split(/\r?\n/).map((line) => /^(id|data): ?(.*)$/s.exec(line));
      const valuesOf = (name: string) =>
        fields.filter((field) => field?.[1] === name).map((field) => field?.[2] ?? '');
      const data = valuesOf('data');
      // What has no data is a heartbeat.
      return data.length === 0 ? [] : [{ id: valuesOf('id').at(-1) ?? '', data: data.join('\n') }];
    });
  };
}
