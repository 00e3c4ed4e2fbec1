/** How the process ends. */
export const EXIT = { done: 0, refused: 1, usage: 2, unreachable: 3 } as const;

/** Something the person at the keyboard can act on: printed as it is, without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;
  /** The service's own answer, for `--json`. */
  readonly body: unknown;

  constructor(message: string, exitCode: number = EXIT.refused, body: unknown = null) {
    super(message);
    this.exitCode = exitCode;
    this.body = body;
  }
}
