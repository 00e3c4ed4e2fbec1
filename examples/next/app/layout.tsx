import type { ReactNode } from 'react';
import { settings } from '../lib/settings';

export const metadata = { title: 'Acme Mugs' };

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 36rem; margin: 2rem auto; padding: 0 1rem }
form, label { display: grid; gap: 0.5rem }
form { margin: 1rem 0 2rem; gap: 1rem }
input, button { font: inherit; padding: 0.5rem 0.75rem }`;

export default function Layout({ children }: { children: ReactNode }) {
  const { goodwordUrl, projectKey } = settings;
  return (
    <html lang="en">
      <head>
        <link rel="icon" href="data:," />
        <style>{STYLE}</style>
        <script async src={`${goodwordUrl}/landing/v1.js`} data-project={projectKey} />
      </head>
      <body>{children}</body>
    </html>
  );
}
