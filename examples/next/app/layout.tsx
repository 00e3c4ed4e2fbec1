import type { ReactNode } from 'react';
import { settings } from '../lib/settings';

export const metadata = { title: 'Acme Mugs' };

export default function Layout({ children }: { children: ReactNode }) {
  const { goodwordUrl, projectKey } = settings;
  return (
    <html lang="en">
      <head>
        <script async src={`${goodwordUrl}/landing/v1.js`} data-project={projectKey} />
      </head>
      <body>{children}</body>
    </html>
  );
}
