import type { Texts } from './texts.ts';

export const fr: Texts = {
  // Every page
  language: 'Langue',
  signOut: 'Se déconnecter',
  account: 'Votre compte',
  change: 'Modifier',
  test: '{name} (test)',
  back: 'Retour à l’aperçu',
  optional: 'Facultatif.',
  choose: 'Choisir…',
  fillIn: 'Veuillez remplir ce champ.',
  chooseOne: 'Veuillez faire un choix.',
  notEmail: 'Ce n’est pas une adresse e-mail comme ada@example.com.',
  tooLong: '{field} : {count} caractères au maximum.',
  checkField: 'Veuillez vérifier ce champ.',

  // Signing in
  pageTitle: 'Votre espace partenaire',
  askText:
    'Saisissez l’adresse e-mail avec laquelle vous avez rejoint le programme. Nous vous enverrons un lien de connexion.',
  email: 'Adresse e-mail',
  askButton: 'Recevoir un lien',
  sentTitle: 'Consultez votre messagerie',
  sentText:
    'Si un partenaire possède cette adresse, nous y avons envoyé un lien de connexion. Il ne fonctionne qu’une fois et expire après {minutes}.',
  sentHelp:
    'Pas d’e-mail ? Regardez dans vos spams, ou {retry} avec l’adresse de votre inscription.',
  sentRetry: 'réessayez',
  signIn: 'Se connecter',
  signingInAs: 'Vous vous connectez en tant que {email}.',
  signInButton: 'Aller à mon espace partenaire',
  signInWarning: 'Si quelqu’un d’autre vous a envoyé ce lien, fermez cette page.',
  linkUsedTitle: 'Ce lien a déjà été utilisé',
  linkUsedText: 'Un lien de connexion ne fonctionne qu’une fois.',
  linkDeadTitle: 'Ce lien ne fonctionne pas',
  linkDeadText: 'Le lien est incomplet ou a expiré : il est valable {minutes}.',
  linkAgain: 'Demander un nouveau lien',
  chooseTitle: 'Choisissez un espace partenaire',
  chooseText:
    'Votre adresse correspond à plusieurs espaces partenaires. Choisissez-en un. Vous pourrez en changer plus tard.',

  // Errors
  toPartnerPage: 'Aller à l’espace partenaire',
  unavailableTitle: 'L’espace partenaire n’est pas disponible',
  unavailableText:
    'La connexion nécessite l’e-mail et https, qui ne sont pas configurés ici. Contactez les responsables du programme.',
  outOfDateTitle: 'Ce formulaire n’est plus à jour',
  outOfDateText:
    'Il est resté ouvert trop longtemps, ou votre navigateur refuse les cookies. Rien n’a été modifié. Rouvrez la page et réessayez.',
  tooManyTitle: 'Trop de requêtes',
  tooManyText: 'Trop de requêtes sont venues de votre réseau. Attendez une minute et réessayez.',
  tooLargeTitle: 'Votre saisie est trop longue',
  tooLargeText: 'Rien n’a été modifié. Raccourcissez-la et réessayez.',
  noPageTitle: 'Cette page n’existe pas',
  noPageText: 'L’adresse est incomplète ou erronée.',
  failedTitle: 'Cela n’a pas fonctionné',
  failedText: 'Veuillez réessayer dans un instant.',

  // Overview
  detailsSaved: 'Vos coordonnées de paiement sont enregistrées.',
  suspended: 'Votre compte est suspendu.',
  suspendedText:
    'Vos codes et vos liens ne rapportent rien pour le moment, et rien n’est versé. Contactez les responsables du programme.',
  cannotBePaid: 'Nous ne pouvons pas encore vous payer : {add}.',
  addDetailsInline: 'ajoutez vos coordonnées de paiement',
  totals: 'Totaux',
  earned: 'Gagné',
  paid: 'Versé',
  unpaid: 'À verser',
  programs: 'Vos liens et codes',
  noPrograms: 'Vous ne participez à aucun programme pour le moment.',
  programPaused:
    'En pause : vos liens s’ouvrent toujours, mais n’apportent plus de recommandations.',
  programOver: 'Terminé : vos codes et vos liens n’apportent plus de recommandations.',
  rewards: 'Récompenses',
  allRewards: 'Toutes les récompenses',
  noRewards: 'Vous n’avez pas encore de récompenses.',
  reducedFrom: 'sur {amount}, après un remboursement',
  payouts: 'Versements',
  allPayouts: 'Tous les versements',
  noPayouts: 'Vous n’avez pas encore de versements.',
  pages: 'Pages',
  newest: 'Plus récents',
  older: 'Plus anciens',

  // Links
  yourLink: 'Votre lien',
  yourLinks: 'Vos liens',
  yourCode: 'Votre code',
  yourCodes: 'Vos codes',
  copy: 'Copier',
  copied: 'Copié',
  copyOf: 'Copier {text}',
  qrCode: 'Code QR',
  qrOf: 'Code QR de {link}',
  qrDownload: 'Télécharger en SVG',
  newLink: 'Un autre lien',
  newLinkHint:
    'Utilisez-en un pour chaque endroit où vous partagez, et donnez-lui un nom. Un nom compte de 3 à 50 lettres a–z, chiffres et traits d’union, et ne change plus.',
  newLinkName: 'Nom du lien',
  newLinkButton: 'Créer le lien',
  newLinkLimit: 'Vous avez {count} liens, ce qui est le maximum.',
  linkCreated: 'Votre nouveau lien est prêt : {link}',
  linkNameWrong:
    'Un nom compte de 3 à 50 lettres a–z, chiffres et traits d’union. Il commence et finit par une lettre ou un chiffre.',
  linkNameTaken: 'Ce nom est déjà pris. Choisissez-en un autre.',
  linkLimitReached: 'Vous avez déjà le nombre maximal de liens dans ce programme.',
  linkNotOpen: 'Ce programme n’accepte pas de nouveaux liens pour le moment.',
  linkTooMany: 'Vous avez créé beaucoup de liens en peu de temps. Réessayez dans une heure.',

  // States of rewards and payouts
  statePaid: 'Versée',
  stateGranted: 'Accordée',
  stateCancelled: 'Annulée',
  stateOnItsWay: 'En cours',
  stateFailed: 'Échec',
  stateTakenBack: 'Reprise',
  stateOnHold: 'En attente',
  statePending: 'À venir',
  stateReturned: 'Retourné',
  noteDeducted: 'Le montant versé est déduit des versements suivants.',
  noteUndelivered: 'Elle n’a pas pu être remise. Contactez les responsables du programme.',
  noteRefunded: 'L’achat a été remboursé.',
  noteSuspended: 'Votre compte est suspendu.',
  noteUntil: 'Jusqu’au {day}.',
  noteChecking: 'La recommandation est en cours de vérification.',
  noteDisputed: 'L’achat est contesté.',
  noteAddDetails: 'Ajoutez vos coordonnées de paiement pour être payé.',
  noteNextPayout: 'Elle fait partie du prochain versement.',
  noteAboveMaximum:
    'Elle dépasse le maximum d’un versement. Contactez les responsables du programme.',
  noteBelowMinimum: 'Elle est versée dès que le minimum d’un versement est atteint.',
  notePayoutFailed: 'Le dernier versement a échoué. Elle fait partie du prochain.',
  notePayoutReturned: 'Le dernier versement a été retourné. Elle fait partie du prochain.',
  noteAmountNext: 'Le montant fait partie du prochain versement.',
  noteCheckDetails:
    'Vérifiez vos coordonnées de paiement. Le montant fait partie du prochain versement.',
  off: '{rate} de remise',
  methodTransfer: 'Virement bancaire ou portefeuille',

  // Payout details
  details: 'Coordonnées de paiement',
  addDetails: 'Ajouter des coordonnées',
  detailsMissing:
    'Ajoutez vos coordonnées de paiement. Sans elles, nous ne pouvons pas vous payer.',
  detailsCooling:
    'Pour votre sécurité, ces coordonnées sont utilisées à partir du {time}. D’ici là, les versements utilisent les précédentes.',
  detailsFailed:
    'Un versement vers ces coordonnées a échoué. Vérifiez-les, ou saisissez-en d’autres.',
  detailsSavedOn: 'Enregistrées le {day}.',
  detailsCurrent: 'Coordonnées actuelles',
  detailsChange: 'Modifier vos coordonnées',
  detailsNew: 'Où vous payer',
  detailsWays: 'Moyens de paiement',
  nothingSaved: 'Rien n’a été enregistré. Veuillez vérifier les champs signalés ci-dessous.',
  detailsUnusable: 'Ces coordonnées ne sont pas utilisables. Veuillez les vérifier.',
  save: 'Enregistrer',
  detailsDelay:
    'Pour votre sécurité, une modification prend effet 24 heures après son enregistrement.',
  detailsEncrypted: 'Vos coordonnées sont chiffrées. Seuls les derniers caractères sont affichés.',
  bankAccount: 'Compte bancaire',
  kindIban: 'Compte bancaire avec IBAN',
  kindAccount: 'Autre compte bancaire',
  accountEmail: 'Adresse e-mail du compte',
  holderName: 'Nom du titulaire du compte',
  holderNameHint: 'Tel qu’enregistré à la banque.',
  bankCountry: 'Pays de la banque',
  bankCurrency: 'Devise du compte',
  accountNumber: 'Numéro de compte',
  routingCode: 'Code bancaire',
  routingCodeHint: 'Routing number, sort code, BSB, IFSC ou le code bancaire de ce pays.',
  needsIban:
    'Dans ce pays, les comptes sont payés par IBAN : choisissez « Compte bancaire avec IBAN ».',
  ibanCountry: 'L’IBAN doit commencer par le code d’un pays qui a des IBAN.',
  ibanLength: 'L’IBAN n’a pas la longueur d’un IBAN de son pays.',
  ibanQr: 'C’est un QR-IBAN, réservé aux factures. Utilisez l’IBAN du compte.',
  ibanMistyped: 'L’IBAN contient une faute de frappe : sa clé de contrôle est fausse.',
  ibanWrong: 'Ce n’est pas un IBAN de son pays.',
  bicWrong: 'Un BIC compte 8 ou 11 caractères.',
  accountNumberWrong: 'Ce n’est pas un numéro de compte de ce pays.',
  routingCodeWrong: 'Ce n’est pas un code bancaire de ce pays.',

  // Terms
  terms: 'Ce que vous gagnez',
  termsNone: 'Ce programme ne donne pas de récompenses pour le moment.',
  benefitCredit: '{amount} d’avoir',
  benefitDiscount: 'une remise de {rate}',
  youSignup: 'Vous gagnez {benefit} pour chaque personne qui s’inscrit grâce à vous.',
  youFirstPurchase:
    'Vous gagnez {benefit} pour le premier achat de chaque personne que vous recommandez.',
  youPurchases: 'Vous gagnez {benefit} pour chaque achat des personnes que vous recommandez.',
  youShareFirst: 'Vous gagnez {rate} du premier achat de chaque personne que vous recommandez.',
  youSharePurchases: 'Vous gagnez {rate} de chaque achat des personnes que vous recommandez.',
  youFirstDeed:
    'Vous gagnez {benefit} la première fois qu’une personne recommandée fait ceci : {deed}.',
  youDeeds: 'Vous gagnez {benefit} chaque fois qu’une personne recommandée fait ceci : {deed}.',
  theySignup: 'Les personnes que vous recommandez reçoivent {benefit} à leur inscription.',
  theyFirstPurchase:
    'Les personnes que vous recommandez reçoivent {benefit} pour leur premier achat.',
  theyPurchases:
    'Les personnes que vous recommandez reçoivent {benefit} pour chacun de leurs achats.',
  theyShareFirst: 'Les personnes que vous recommandez récupèrent {rate} de leur premier achat.',
  theySharePurchases: 'Les personnes que vous recommandez récupèrent {rate} de chaque achat.',
  theyFirstDeed:
    'Les personnes que vous recommandez reçoivent {benefit} la première fois qu’elles font ceci : {deed}.',
  theyDeeds:
    'Les personnes que vous recommandez reçoivent {benefit} chaque fois qu’elles font ceci : {deed}.',
  termMonths: 'Cela compte pendant {months} à partir de la première fois.',
  termForever: 'Il n’y a pas de limite de durée.',
  termCredit: 'C’est accordé sous forme d’avoir.',
  discountOnce: 'La remise vaut pour un achat.',
  discountMonths: 'La remise dure {months}.',
  discountForever: 'La remise n’a pas de limite de durée.',
  termValid: 'Valable pendant {days}.',
  capYouOnce: 'Vous pouvez le gagner une seule fois.',
  capYou: 'Vous pouvez le gagner {count} fois au maximum.',
  capTheyOnce: 'Chaque personne le reçoit une seule fois.',
  capThey: 'Chaque personne le reçoit {count} fois au maximum.',
  refundShare: 'Si un achat est remboursé, la même part est reprise.',
  refundWhole: 'Si un achat est entièrement remboursé, c’est repris.',
  refundAny: 'Si une partie d’un achat est remboursée, tout est repris.',
  refundNone: 'Un remboursement n’y change rien.',
  termWindow:
    'Une recommandation compte si la personne s’inscrit dans les {days} après avoir suivi votre lien.',
  termHold: 'Les récompenses sont versées au plus tôt {days} après avoir été gagnées.',
  termMinimum: 'Le versement minimum est de {amounts}.',
  youTiersReferrals: 'Cela dépend du nombre de vos recommandations : {steps}.',
  youTiersPurchases: 'Cela dépend du nombre d’achats des personnes que vous recommandez : {steps}.',
  youTiersRevenue:
    'Cela dépend du chiffre d’affaires des personnes que vous recommandez : {steps}.',
  theyTiersPurchases: 'Cela dépend du nombre de leurs achats : {steps}.',
  theyTiersRevenue: 'Cela dépend du total de leurs achats : {steps}.',
  tierFirst: '{size} au début',
  tierStep: '{size} à partir de {count}',
  windowMonth: 'Chaque mois civil est compté à nouveau.',
  windowRolling: 'Les 30 derniers jours comptent.',
  youMilestoneReferrals:
    'Vous gagnez {benefit} lorsque le nombre de vos recommandations atteint {count}.',
  youMilestonePurchases:
    'Vous gagnez {benefit} lorsque le nombre d’achats des personnes que vous recommandez atteint {count}.',
  youMilestoneRevenue:
    'Vous gagnez {benefit} lorsque le chiffre d’affaires des personnes que vous recommandez atteint {count}.',
  theyMilestonePurchases:
    'Les personnes que vous recommandez reçoivent {benefit} lorsque le nombre de leurs achats atteint {count}.',
  theyMilestoneRevenue:
    'Les personnes que vous recommandez reçoivent {benefit} lorsque leurs achats atteignent {count} au total.',
  milestoneRepeat:
    'C’est accordé à nouveau chaque fois qu’autant s’ajoute : à {next}, à {later}, etc.',
  milestoneRefund:
    'C’est annulé si des remboursements font repasser en dessous avant que ce soit accordé.',
  onlyFirst: 'Seul le premier achat d’une personne compte.',
  notFirst: 'Le premier achat d’une personne ne compte pas.',
  onlyReasons: 'C’est pour : {reasons}.',
  reasonOneTime: 'les achats uniques',
  reasonStart: 'les débuts d’abonnement',
  reasonRenewal: 'les renouvellements d’abonnement',
  reasonChange: 'les changements d’abonnement',
  onlyCurrencies: 'Seuls les achats dans ces devises comptent : {currencies}.',
  onlyAtLeast: 'Seuls les achats d’au moins {amount} comptent.',
  onlyAtMost: 'Seuls les achats d’au plus {amount} comptent.',
  onlyOther: 'Autres conditions : {conditions}.',

  // Progress
  progress: 'Votre progression',
  barReferrals: 'Recommandations : {value} sur {at}',
  barPurchases: 'Achats : {value} sur {at}',
  barRevenue: 'Chiffre d’affaires : {value} sur {at}',
  barOwnPurchases: 'Vos achats : {value} sur {at}',
  barOwnRevenue: 'Vos dépenses : {value} sur {at}',
  barMonth: 'Compté sur ce mois civil (UTC).',
  barRolling: 'Compté sur les 30 derniers jours.',
  barNow: 'Maintenant : {size}',
  barThen: 'Ensuite : {size}',
  barReached: 'Objectifs atteints : {count}',

  // Application
  applyTitle: 'Devenez partenaire de {name}',
  applyText:
    'Dites-nous qui vous êtes. Nous vous enverrons un lien pour confirmer votre adresse e-mail, puis nous examinerons votre candidature.',
  applyName: 'Votre nom',
  applyType: 'Vous candidatez en tant que',
  applyIndividual: 'Particulier',
  applyCompany: 'Entreprise',
  applyCompanyName: 'Nom de l’entreprise',
  applyCompanyHint: 'Seulement pour les entreprises.',
  applyCountry: 'Pays',
  applyWebsite: 'Site web',
  applyWebsiteHint: 'Où vous nous recommanderiez, par exemple https://example.com. Facultatif.',
  applyMessage: 'Message',
  applyMessageHint: 'Comment nous recommanderiez-vous ? Facultatif.',
  applyButton: 'Envoyer la candidature',
  applyNotSent:
    'Votre candidature n’a pas été envoyée. Veuillez vérifier les champs signalés ci-dessous.',
  applyWebsiteWrong: 'Ce n’est pas une adresse comme https://example.com.',
  applySentText:
    'Nous vous avons envoyé un e-mail avec un lien. Ouvrez-le pour confirmer votre adresse e-mail : votre candidature ne peut être examinée qu’ensuite.',
  applySentHelp:
    'Pas d’e-mail ? Regardez dans vos spams. Si vous avez déjà candidaté, l’e-mail précédent est peut-être encore valable.',
  applyReceivedTitle: 'Votre candidature est arrivée',
  applyReceivedText:
    'Les responsables du programme vous enverront un lien pour confirmer votre adresse e-mail. Votre candidature ne peut être examinée qu’ensuite.',
  applyClosedTitle: 'Pas de candidatures pour le moment',
  applyClosedText: '{name} n’accepte pas de candidatures pour le moment. Réessayez plus tard.',
  applySignIn: 'Déjà partenaire ? {signIn}',

  // Leaderboard
  leaderboard: 'Classement',
  leaderboardText: 'Les partenaires avec le plus de recommandations à ce jour.',
  rank: 'Place',
  partner: 'Partenaire',
  referrals: 'Recommandations',
  you: 'Vous',
  leaderboardBelow:
    'Vous n’êtes pas encore parmi les {count} premiers. Vos recommandations à ce jour : {referrals}.',

  // Results
  results: 'Résultats',
  resultsText:
    'Les jours sont en UTC. Un remboursement réduit les ventes et les gains du jour de l’achat.',
  resultsChoose: 'Choisir un chiffre pour le graphique',
  resultsByDay: '{number} par jour, {from} – {to}',
  resultsByWeek: '{number} par semaine, {from} – {to}',
  resultsNone: 'Rien sur cette période pour le moment.',
  resultsTable: 'Afficher sous forme de tableau',
  period: 'Période',
  currency: 'Devise',
  clicks: 'Clics',
  customers: 'Nouveaux clients',
  sales: 'Ventes',
  day: 'Jour',
};
