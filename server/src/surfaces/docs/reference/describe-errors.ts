import { type ErrorCode, STATUS_BY_CODE } from '../../../platform/kit/errors.ts';
import type { Operation } from '../api/api-document.ts';
import { ERROR_MEANINGS } from '../api/error-meanings.ts';
import { code, MADE, textTable } from './text-table.ts';

interface ReasonEntry {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly when: Set<string>;
  readonly calls: Set<string>;
}

/** More than so many calls are not listed one by one. */
const CALLS_SHOWN_MAX = 2;

/** Docs/reference/errors.md: every code, and every reason that a call can be refused for. */
export function describeErrors(operations: readonly Operation[]): string {
  const codes = Object.entries(ERROR_MEANINGS).map(([name, { when, remedy }]) => [
    String(STATUS_BY_CODE[name as ErrorCode]),
    code(name),
    when,
    remedy,
  ]);
  return `# Errors

${MADE}

Every error has the same body. Branch on \`code\`, and on \`reason\` if a code has several. \`message\` is for people
and may change. \`details\` lists the fields that are not valid. Ignore reasons you do not know: new ones may be added.

\`\`\`json
{
  "success": false,
  "error": {
    "code": "INVALID_REQUEST",
    "reason": null,
    "message": "Invalid request: name is required.",
    "requestId": "req_01ka3m…",
    "details": [{ "path": "name", "issue": "is required" }]
  }
}
\`\`\`

## Codes

Retry only 429, 500 and 503, with increasing delays; never 404 or 409. A failed call should never fail a signup in
your own product.

${textTable(['Status', 'Code', 'When', 'What to do'], codes)}

## Reasons

${collectReasons(operations).map(chapter).join('\n\n')}
`;
}

function chapter([name, reasons]: readonly [ErrorCode, readonly ReasonEntry[]]): string {
  return `### ${name}

${textTable(
  ['Reason', 'When', 'Calls'],
  reasons.map(({ reason, when, calls }) => [code(reason), [...when].join('; '), listCalls(calls)]),
)}`;
}

function listCalls(calls: ReadonlySet<string>): string {
  if (calls.size > CALLS_SHOWN_MAX) return `${calls.size} calls`;
  return [...calls].map(code).join(', ');
}

/** By code, in the order of their status; reasons by name. */
function collectReasons(operations: readonly Operation[]): [ErrorCode, ReasonEntry[]][] {
  const entries = new Map<string, ReasonEntry>();
  for (const operation of operations) {
    for (const { code: name, reason, when } of operation['x-refusals']) {
      if (reason === null) continue;
      const key = `${name} ${reason}`;
      const one = entries.get(key) ?? {
        code: name as ErrorCode,
        reason,
        when: new Set(),
        calls: new Set(),
      };
      one.when.add(when);
      one.calls.add(`${operation.method} ${operation.path}`);
      entries.set(key, one);
    }
  }
  return (Object.keys(STATUS_BY_CODE) as ErrorCode[])
    .map((name): [ErrorCode, ReasonEntry[]] => [
      name,
      [...entries.values()]
        .filter((one) => one.code === name)
        .sort((one, other) => (one.reason < other.reason ? -1 : 1)),
    ])
    .filter(([, reasons]) => reasons.length > 0);
}
