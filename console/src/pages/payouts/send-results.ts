import { useRef, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { writeCsv } from '../../ui/save-text.ts';
import type { Verdict } from './check-results.ts';
import { useRefreshPayouts } from './queries.ts';
import type { ResultRow } from './read-results.ts';

type Ready = Extract<Verdict, { kind: 'ready' }>;

interface Sending {
  readonly step: 'waiting' | 'sending' | 'ended';
  readonly total: number;
  readonly done: number;
  readonly failed: readonly { readonly row: ResultRow; readonly why: string }[];
  /** Not sent, because it was stopped. */
  readonly left: readonly Ready[];
}

const NOTHING: Sending = { step: 'waiting', total: 0, done: 0, failed: [], left: [] };

/**
 * Sends results one after the other. A line that is refused fails alone. Each may be sent again:
 * the service takes a result once, whoever tells it how often.
 */
export function useSendResults(projectId: string) {
  const refresh = useRefreshPayouts(projectId);
  const [state, setState] = useState<Sending>(NOTHING);
  const isStopped = useRef(false);
  const start = async (lines: readonly Ready[]) => {
    isStopped.current = false;
    let now: Sending =
      state.step === 'ended'
        ? { ...state, step: 'sending', left: [] }
        : { ...NOTHING, step: 'sending', total: lines.length };
    setState(now);
    for (const [index, { row }] of lines.entries()) {
      if (isStopped.current) {
        now = { ...now, left: lines.slice(index) };
        break;
      }
      try {
        await sendResult(projectId, row);
        now = { ...now, done: now.done + 1 };
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        now = { ...now, failed: [...now.failed, { row, why }] };
      }
      setState(now);
    }
    setState({ ...now, step: 'ended' });
    await refresh();
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { state, start, stop };
}

async function sendResult(projectId: string, row: ResultRow): Promise<void> {
  const { payoutId, outcome, reference, failureReason, failureMessage } = row;
  if (outcome === null) throw new Error('It says no outcome.');
  await answerOf(
    api.POST('/v1/payouts/{payoutId}/result', {
      params: { path: { payoutId } },
      body: { projectId, outcome, reference, failureReason, failureMessage },
    }),
  );
}

/** What became of every line of the file. */
export function reportCsv(verdicts: readonly Verdict[], { failed, left }: Sending): string {
  const whys = new Map(failed.map(({ row, why }) => [row.line, why]));
  const unsent = new Set(left.map(({ row }) => row.line));
  const tell = (verdict: Verdict): [string, string] => {
    const { line } = verdict.row;
    if (verdict.kind === 'refused') return ['left out', verdict.why];
    if (unsent.has(line)) return ['not sent', ''];
    const why = whys.get(line);
    if (why !== undefined) return ['refused', why];
    return verdict.kind === 'known' ? ['known already', ''] : ['recorded', ''];
  };
  return writeCsv([
    ['line', 'payout_id', 'outcome', 'result', 'why'],
    ...verdicts.map((verdict) => [
      String(verdict.row.line),
      verdict.row.payoutId,
      verdict.row.outcome ?? '',
      ...tell(verdict),
    ]),
  ]);
}
