/** An error as Stripe answers it. */
export class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;

  constructor(
    status: number,
    message: string,
    { type = 'invalid_request_error', code = null, param = null }: RefusalFacts = {},
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.code = code;
    this.param = param;
  }

  /** Whether the parameters were at fault, so that nothing had begun. */
  get isValidation(): boolean {
    return this.code?.startsWith('parameter_') ?? false;
  }

  get body(): object {
    const { type, code, param, message } = this;
    return { error: { type, message, ...(code && { code }), ...(param && { param }) } };
  }
}

interface RefusalFacts {
  readonly type?: string;
  readonly code?: string | null;
  readonly param?: string | null;
}

export function missing(kind: string, id: string, status = 404): Refusal {
  return new Refusal(status, `No such ${kind}: '${id}'`, { code: 'resource_missing', param: kind });
}

export function required(param: string): Refusal {
  return new Refusal(400, `Missing required param: ${param}.`, {
    code: 'parameter_missing',
    param,
  });
}

export function invalid(param: string, message: string): Refusal {
  return new Refusal(400, message, { code: 'parameter_invalid', param });
}
