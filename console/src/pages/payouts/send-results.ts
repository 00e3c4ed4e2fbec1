import { useRef, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { runMany } from '../../ui/run-many.ts';
import { writeCsv } from '../../ui/save-text.ts';
import type { Verdict } from './check-results.ts';
import { useRefreshPayouts } from './queries.ts';
import type { ResultRow } from './read-results.ts';

type Ready = Extract<Verdict, { kind: 'ready' }>;

export interface Sending {
  readonly step: 'waiting' | 'sending' | 'ended';
  readonly total: number;
  /** Lines of the file that the service has accepted. */
  readonly recorded: ReadonlySet<number>;
  readonly failed: readonly { readonly item: Ready; readonly reason: string }[];
  /** Not sent, because it was stopped. */
  readonly left: readonly Ready[];
  /** Why it stopped by itself. */
  readonly trouble: unknown;
}

const NOTHING: Sending = {
  step: 'waiting',
  total: 0,
  recorded: new Set(),
  failed: [],
  left: [],
  trouble: null,
};

/**
 * Sends results one after the other. A refused line fails alone. Each may be sent again: the
 * service records a result once, however often it is sent.
 */
export function useSendResults(projectId: string) {
  const refresh = useRefreshPayouts(projectId);
  const [state, setState] = useState<Sending>(NOTHING);
  const stopper = useRef<AbortController>(null);
  const start = async (lines: readonly Ready[]) => {
    const controller = new AbortController();
    stopper.current = controller;
    const total = state.step === 'waiting' ? lines.length : state.total;
    const recorded = new Set(state.recorded);
    setState({ ...NOTHING, step: 'sending', total, recorded });
    await runMany({
      items: lines,
      work: async ({ row }) => {
        await sendResult(projectId, row);
        recorded.add(row.line);
      },
      onProgress: (progress) =>
        setState({
          step: progress.state === 'running' ? 'sending' : 'ended',
          total,
          recorded: new Set(recorded),
          failed: progress.failures,
          left: progress.untried,
          trouble: progress.trouble,
        }),
      signal: controller.signal,
      concurrency: 1,
    });
    await refresh();
  };
  return { state, start, stop: () => stopper.current?.abort() };
}

async function sendResult(projectId: string, row: ResultRow): Promise<void> {
  const { payoutId, outcome, reference, failureReason, failureMessage } = row;
  if (outcome === null) throw new Error('The outcome is missing.');
  await answerOf(
    api.POST('/v1/payouts/{payoutId}/result', {
      params: { path: { payoutId } },
      body: { projectId, outcome, reference, failureReason, failureMessage },
    }),
  );
}

/** The outcome of every line of the file. */
export function reportCsv(
  verdicts: readonly Verdict[],
  { recorded, failed }: Pick<Sending, 'recorded' | 'failed'>,
): string {
  const whys = new Map(failed.map(({ item, reason }) => [item.row.line, reason]));
  const describe = (verdict: Verdict): [string, string] => {
    const { line } = verdict.row;
    if (verdict.kind === 'refused') return ['left out', verdict.why];
    if (verdict.kind === 'known') return ['known already', ''];
    if (recorded.has(line)) return ['recorded', ''];
    const why = whys.get(line);
    return why === undefined ? ['not sent', ''] : ['refused', why];
  };
  return writeCsv([
    ['line', 'payout_id', 'outcome', 'result', 'why'],
    ...verdicts.map((verdict) => [
      String(verdict.row.line),
      verdict.row.payoutId,
      verdict.row.outcome ?? '',
      ...describe(verdict),
    ]),
  ]);
}
