import type { MailTexts } from '../mail-texts.ts';

export const fr: MailTexts = {
  hello: 'Bonjour {name},',
  helloAnyone: 'Bonjour,',
  credit: '{amount} de crédit',
  discount: '{percent} de remise',
  available: 'Elle sera disponible à partir du {date}.',
  seeRewards: 'Voir vos récompenses',
  addDetails: 'Ajouter vos coordonnées de paiement',
  openPage: 'Ouvrir votre page',
  why: 'Vous recevez cet e-mail parce que vous participez à {program}.',
  stop: 'Se désabonner',
  unsubscribe: {
    title: 'Se désabonner',
    question: 'Voulez-vous ne plus recevoir ces e-mails ?',
    thisKind: 'Ne plus recevoir d’e-mails de ce type',
    everyKind: 'Ne plus recevoir aucun e-mail',
    whatStays: 'Vous participez toujours et vos récompenses vous restent acquises.',
    doneTitle: 'Désabonnement enregistré',
    done: 'Vous ne recevrez plus ces e-mails. La prise en compte peut prendre une minute.',
  },
  kinds: {
    friend_joined: {
      subject: 'Quelqu’un a rejoint {product} grâce à votre lien',
      body: 'Quelqu’un vient de s’inscrire avec votre lien. Merci de recommander {product} !',
    },
    reward_earned: {
      subject: 'Vous avez gagné {reward}',
      body: 'Vous avez gagné une récompense dans {program} : {reward}. {availability}',
    },
    payout_ordered: {
      subject: 'Votre versement de {reward} est en route',
      body: 'Nous avons ordonné le versement de {reward}. Il arrive généralement en quelques jours.',
    },
    reward_paid: {
      subject: 'Vous avez reçu {reward}',
      body: 'Votre récompense de {program} vous a été remise : {reward}. Merci de recommander {product} !',
    },
    payout_details_missing: {
      subject: 'Où devons-nous envoyer votre argent ?',
      body: 'Vous avez gagné de l’argent dans {program}, mais nous ne savons pas où l’envoyer. Ajoutez vos coordonnées de paiement pour faire partie du prochain versement.',
    },
    partner_welcome: {
      subject: 'Bienvenue parmi les partenaires de {product}',
      body: 'Vous êtes maintenant partenaire de {program}. Votre page présente votre lien, vos récompenses et vos versements.',
    },
  },
};
