/** Exit codes of the process. */
export const EXIT = { done: 0, refused: 1, usage: 2, unreachable: 3 } as const;

/** An error that the user can act on: printed without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;
  /** The service's own response, for `--json`. */
  readonly body: unknown;

  constructor(message: string, exitCode: number = EXIT.refused, body: unknown = null) {
    super(message);
    this.exitCode = exitCode;
    this.body = body;
  }
}
