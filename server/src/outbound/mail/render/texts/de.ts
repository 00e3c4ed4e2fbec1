import type { MailTexts } from '../mail-texts.ts';

export const de: MailTexts = {
  hello: 'Guten Tag {name},',
  helloAnyone: 'Guten Tag,',
  credit: '{amount} Guthaben',
  discount: '{percent} Rabatt',
  available: 'Sie können sie ab dem {date} nutzen.',
  seeRewards: 'Ihre Prämien ansehen',
  addDetails: 'Auszahlungsdaten angeben',
  openPage: 'Ihre Seite öffnen',
  why: 'Sie erhalten diese E-Mail, weil Sie an {program} teilnehmen.',
  stop: 'Abbestellen',
  unsubscribe: {
    title: 'Abbestellen',
    question: 'Möchten Sie diese E-Mails nicht mehr erhalten?',
    thisKind: 'E-Mails dieser Art abbestellen',
    everyKind: 'E-Mails jeder Art abbestellen',
    whatStays: 'Sie nehmen weiterhin teil, und Ihre Prämien bleiben Ihnen erhalten.',
    doneTitle: 'Sie haben die E-Mails abbestellt',
    done: 'Sie erhalten diese E-Mails nicht mehr. Es kann eine Minute dauern, bis das wirkt.',
  },
  kinds: {
    friend_joined: {
      subject: 'Jemand hat sich über Ihren Link bei {product} angemeldet',
      body: 'Gerade hat sich jemand über Ihren Link angemeldet. Vielen Dank, dass Sie {product} weiterempfehlen!',
    },
    reward_earned: {
      subject: 'Ihre Prämie: {reward}',
      body: 'Sie haben bei {program} eine Prämie verdient: {reward}. {availability}',
    },
    payout_ordered: {
      subject: 'Ihre Auszahlung ist unterwegs: {reward}',
      body: 'Wir haben Ihre Auszahlung von {reward} beauftragt. Bis sie ankommt, dauert es meist ein paar Tage.',
    },
    reward_paid: {
      subject: 'Erhalten: {reward}',
      body: 'Ihre Prämie von {program} ist da: {reward}. Vielen Dank, dass Sie {product} weiterempfehlen!',
    },
    payout_details_missing: {
      subject: 'Wohin dürfen wir Ihr Geld überweisen?',
      body: 'Sie haben bei {program} Geld verdient, aber wir wissen nicht, wohin wir es überweisen sollen. Bitte geben Sie Ihre Auszahlungsdaten an. Dann sind Sie bei der nächsten Auszahlung dabei.',
    },
    partner_welcome: {
      subject: 'Willkommen als Partner von {product}',
      body: 'Sie sind jetzt Partner bei {program}. Auf Ihrer Seite finden Sie Ihren Link, Ihre Prämien und Ihre Auszahlungen.',
    },
  },
};
