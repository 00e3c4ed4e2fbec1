const KEY = 'goodword-docs-theme';
const root = document.documentElement;

/** Storage may be forbidden; the page then follows the system's theme. */
export function applySavedTheme(): void {
  try {
    const saved = localStorage.getItem(KEY);
    if (saved === 'light' || saved === 'dark') root.dataset.theme = saved;
  } catch {}
}

/** The button switches the theme. Its label says which theme a click brings. */
export function addThemeButton(button: HTMLElement): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
  const label = () => button.setAttribute('aria-label', `${isDark() ? 'Light' : 'Dark'} theme`);
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    root.dataset.theme = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {}
    label();
  });
  system.addEventListener('change', label);
  label();
}
