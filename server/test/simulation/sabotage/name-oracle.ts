const ORACLES: readonly (readonly [RegExp, string])[] = [
  [/^verify: /, 'verify'],
  [/still names somebody erased/, 'erasure'],
  [/^the feed has|^https:\S+ was (not )?sent/, 'feed and receivers'],
  [/^[A-Z]+ \/\S+ answered 500|^[A-Z]+ \/\S+: /, 'answers'],
  // The model refuses what contradicts the contract.
  [/^it broke: .*\/model\//s, 'contract'],
  [/^it (broke|hangs)|^its process ended/, 'run'],
];

/** Who reports such a finding. */
export function nameOracle(finding: string): string {
  return ORACLES.find(([pattern]) => pattern.test(finding))?.[1] ?? 'contract';
}
