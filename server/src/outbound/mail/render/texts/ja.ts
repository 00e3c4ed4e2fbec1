import type { MailTexts } from '../mail-texts.ts';

export const ja: MailTexts = {
  hello: '{name} 様',
  helloAnyone: 'こんにちは。',
  credit: '{amount} 分のクレジット',
  discount: '{percent} 割引',
  available: '{date} からご利用いただけます。',
  seeRewards: '特典を見る',
  addDetails: '受取先を登録する',
  openPage: 'ページを開く',
  why: 'このメールは {program} に参加されている方にお送りしています。',
  stop: '配信を停止する',
  unsubscribe: {
    title: '配信停止',
    question: 'これらのメールの配信を停止しますか。',
    thisKind: 'この種類のメールを停止する',
    everyKind: 'すべての種類のメールを停止する',
    whatStays: '参加は続き、特典もそのまま残ります。',
    doneTitle: '配信を停止しました',
    done: '今後これらのメールは届きません。反映まで1分ほどかかることがあります。',
  },
  kinds: {
    friend_joined: {
      subject: 'あなたのリンクから {product} に登録がありました',
      body: 'あなたのリンクから新しい登録がありました。{product} をご紹介いただきありがとうございます。',
    },
    reward_earned: {
      subject: '{reward} を獲得しました',
      body: '{program} で {reward} を獲得しました。{availability}',
    },
    payout_ordered: {
      subject: '{reward} のお支払いを手配しました',
      body: '{reward} のお支払いを手配しました。通常、数日で届きます。',
    },
    reward_paid: {
      subject: '{reward} をお届けしました',
      body: '{program} の特典 {reward} をお届けしました。{product} をご紹介いただきありがとうございます。',
    },
    payout_details_missing: {
      subject: 'お支払い先をお知らせください',
      body: '{program} で報酬を獲得されましたが、お支払い先が登録されていません。受取先をご登録いただくと、次回のお支払いの対象になります。',
    },
    partner_welcome: {
      subject: '{product} のパートナーへようこそ',
      body: '{program} のパートナーになりました。ページでリンク、特典、お支払いを確認できます。',
    },
  },
};
