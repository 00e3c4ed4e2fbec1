const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;

const SYSTEMS = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/** "Firefox on macOS": enough to recognise one's own. */
export function describeBrowser(userAgent: string | null | undefined): string {
  const find = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  if (!browser) return 'Another program';
  return system ? `${browser} on ${system}` : browser;
}
