import type { MailTexts } from '../mail-texts.ts';

export const en: MailTexts = {
  hello: 'Hello {name},',
  helloAnyone: 'Hello,',
  credit: '{amount} credit',
  discount: '{percent} discount',
  available: 'It is available from {date}.',
  seeRewards: 'See your rewards',
  addDetails: 'Add your payout details',
  openPage: 'Open your page',
  why: 'You receive this mail because you take part in {program}.',
  stop: 'Unsubscribe',
  unsubscribe: {
    title: 'Unsubscribe',
    question: 'Do you want to stop these mails?',
    thisKind: 'Stop mails of this kind',
    everyKind: 'Stop mails of every kind',
    whatStays: 'You still take part, and your rewards stay yours.',
    doneTitle: 'You are unsubscribed',
    done: 'You will not get these mails any more. It can take a minute until this has an effect.',
  },
  kinds: {
    friend_joined: {
      subject: 'Someone joined {product} with your link',
      body: 'Someone has just signed up with your link. Thank you for recommending {product}!',
    },
    reward_earned: {
      subject: 'You earned {reward}',
      body: 'You earned {reward} in {program}. {availability}',
    },
    payout_ordered: {
      subject: 'Your payout of {reward} is on its way',
      body: 'We have ordered the payout of {reward}. It usually takes a few days to arrive.',
    },
    reward_paid: {
      subject: 'You received {reward}',
      body: '{reward} from {program} has been delivered to you. Thank you for recommending {product}!',
    },
    payout_details_missing: {
      subject: 'Where should we send your money?',
      body: 'You have earned money in {program}, but we do not know where to send it. Please add your payout details, and we will include you in the next payout.',
    },
    partner_welcome: {
      subject: 'Welcome as a partner of {product}',
      body: 'You are now a partner in {program}. Your page shows your link, your rewards and your payouts.',
    },
  },
};
