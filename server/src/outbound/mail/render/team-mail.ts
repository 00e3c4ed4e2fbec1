import type { TeamKind } from '../kinds.ts';
import { type RenderedMail, writeMail } from './render-mail.ts';

const COLOUR = '#1f5f4a';

interface TeamTexts {
  readonly subject: string;
  readonly body: string;
  readonly button: string;
  /** In the console, after the Project. */
  readonly path: string;
}

function textsOf(kind: TeamKind, subject: string): TeamTexts {
  switch (kind) {
    case 'partner_application_received':
      return {
        subject: 'A partner application waits for your decision',
        body: `Somebody applied to become a partner in ${subject}, and confirmed their e-mail address.`,
        button: 'Decide on applications',
        path: 'partners',
      };
    case 'payout_batch_to_approve':
      return {
        subject: 'A payout batch waits for approval',
        body: `A payout batch of ${subject} was created. Nobody is paid until it is approved and submitted.`,
        button: 'Open payouts',
        path: 'payouts',
      };
    case 'webhook_endpoint_failing':
      return {
        subject: 'A webhook endpoint is failing',
        body: `Deliveries to ${subject} are failing. Check the endpoint, then replay the failed deliveries.`,
        button: 'Open webhooks',
        path: 'webhooks',
      };
  }
}

export interface TeamMail {
  readonly kind: TeamKind;
  readonly projectId: string;
  readonly projectName: string;
  readonly name: string;
  /** A Program, an amount or the host of an endpoint. */
  readonly about: string;
  readonly baseUrl: string;
  readonly unsubscribeUrl: string;
  readonly mark?: string;
}

/** Contains nothing that strangers wrote. */
export function renderTeamMail(mail: TeamMail): RenderedMail {
  const { subject, body, button, path } = textsOf(mail.kind, mail.about);
  return writeMail({
    lang: 'en',
    brandName: mail.projectName,
    logoUrl: null,
    colour: COLOUR,
    subject: `${mail.mark ?? ''}${subject}`,
    hello: mail.name === '' ? 'Hello,' : `Hello ${mail.name},`,
    paragraphs: [body],
    button: { label: button, url: `${mail.baseUrl}/console/p/${mail.projectId}/${path}` },
    why: `You receive this mail because you are a member of the team of ${mail.projectName}.`,
    stop: { label: 'Unsubscribe', url: mail.unsubscribeUrl },
  });
}
