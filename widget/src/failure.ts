export interface Issue {
  readonly path: string;
  readonly issue: string;
}

export type FailureKind = 'offline' | 'closed' | 'forbidden' | 'invalid' | 'failed';

export class Failure extends Error {
  readonly kind: FailureKind;
  readonly issues: readonly Issue[];

  constructor(kind: FailureKind, issues: readonly Issue[] = []) {
    super(kind);
    this.kind = kind;
    this.issues = issues;
  }
}
