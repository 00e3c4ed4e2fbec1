/** Well within the 10 seconds that Goodword waits for an answer. */
const CALL_MS = 5_000;

/**
 * Tells Goodword that a Reward was taken back.
 * @typedef {(projectId: string, rewardId: string) => Promise<void>} ReportTakeBack
 */

/**
 * @param {{ url: string, key: string }} goodword
 * @returns {ReportTakeBack}
 */
export function createReporter({ url, key }) {
  return async (projectId, rewardId) => {
    const response = await fetch(`${url}/v1/rewards/${encodeURIComponent(rewardId)}/revocation`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      // The same at every repeat, which then changes nothing.
      body: JSON.stringify({ projectId, externalReference: `take-back of ${rewardId}` }),
      signal: AbortSignal.timeout(CALL_MS),
    });
    if (response.ok) return;
    throw new Error(`Goodword answered ${response.status}: ${await response.text()}`);
  };
}
