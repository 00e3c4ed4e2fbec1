'use client';

import Script from 'next/script';

interface Props {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly programId: string;
}

declare global {
  interface Window {
    ServiceWidget?: { init(options: object): unknown };
  }
}

async function getToken(): Promise<string> {
  const answer = await fetch('/widget-token');
  if (!answer.ok) throw new Error(`No token: ${answer.status}`);
  return answer.text();
}

/** The widget of the signed-in user, in place. */
export function Referrals({ baseUrl, projectId, programId }: Props) {
  function start() {
    window.ServiceWidget?.init({ projectId, programId, getToken, container: '#referrals' });
  }
  return (
    <>
      <div id="referrals" />
      <Script src={`${baseUrl}/widget/v1.js`} onReady={start} />
    </>
  );
}
