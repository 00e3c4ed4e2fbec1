import { type Html, html } from '../../../platform/http/server/html.ts';
import { breakable, inline } from '../pages/markup.ts';
import type { Operation, Refusal } from './api-document.ts';

/** Says of an error whether more than half of the operations have it, word for word. */
export function makeIsCommon(operations: readonly Operation[]): (line: Refusal) => boolean {
  const counts = new Map<string, number>();
  for (const line of operations.flatMap((operation) => operation['x-refusals'])) {
    const key = JSON.stringify(line);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (line) => (counts.get(JSON.stringify(line)) ?? 0) > operations.length / 2;
}

/** An operation's own errors in the open; those that nearly every call shares folded away. */
export function errorTables(operation: Operation, isCommon: (line: Refusal) => boolean): Html {
  const lines = operation['x-refusals'];
  const own = lines.filter((line) => !isCommon(line));
  const common = lines.filter(isCommon);
  if (lines.length === 0) return html``;
  return html`<h4>Errors</h4>${own.length === 0 ? null : table(own)}${
    common.length === 0
      ? null
      : html`<details><summary>${common.length} that most calls share</summary>${table(common)}</details>`
  }`;
}

function table(lines: readonly Refusal[]): Html {
  return html`<table class="errors"><thead><tr><th scope="col">Status</th><th scope="col">Code and reason</th><th scope="col">When</th></tr></thead><tbody>${lines.map(
    ({ status, code, reason, when }) =>
      html`<tr><td>${status}</td><td><code>${breakable(code)}</code>${
        reason === null ? null : html` <code class="reason">${breakable(reason)}</code>`
      }</td><td>${inline(when)}</td></tr>`,
  )}</tbody></table>`;
}
