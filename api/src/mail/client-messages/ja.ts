import { say } from '../compose.ts'
import type { ClientMessages } from './messages.ts'

export const ja: ClientMessages = {
  subjects: {
    request: (organization) => say`${organization}より広告アカウント接続のお願い`,
    reminder: (organization) => say`再度のご案内：${organization}への広告アカウントの接続がまだ完了していません`,
    lastReminder: (organization) => say`${organization}からのリンクの有効期限は明日までです`,
    confirmation: (organization) => say`広告アカウントが${organization}に接続されました`,
    unfinished: (organization) => say`${organization}との接続設定がまだ完了していません`,
  },
  hello: (name) => (name ? say`${name} 様` : say`ご担当者様`),
  personAt: (person, organization) => say`${organization}の${person}`,
  asks: (sender) => say`${sender}様より、次の広告プラットフォームの接続をお願いするご連絡です。`,
  stillOpen: (sender) =>
    say`${sender}様より、広告プラットフォームの接続をお願いしております。次の広告プラットフォームはまだ接続されていません。`,
  almostDone: (organization) => say`次の広告プラットフォームは、あと1つの手順で${organization}が利用できるようになります。`,
  wrote: (sender) => say`${sender}様からのメッセージ：`,
  open: '一覧を開く',
  expires: (date) => say`所要時間は数分です。途中で中断し、別の端末で続けることもできます。リンクの有効期限は${date}です。`,
  unexpected: say`送信者にお心当たりがない場合は、このメールを無視してください。お客様が接続しない限り、何も共有されません。`,
  connected: (organization) => say`ありがとうございます。次の広告プラットフォームが${organization}に接続されました。`,
  unfinished: (organization) =>
    say`次の広告プラットフォームは、${organization}へのアクセスが許可されましたが、設定がまだ完了していません。`,
  receipt: say`このメールは大切に保管してください。それぞれの控えでは、接続した内容とその後の利用状況を確認でき、いつでも接続を解除できます。`,
  receiptOf: (system) => `${system}の控え`,
  why: (organization) => say`このメールは、${organization}がAdjoinを通じて広告プラットフォームの接続をお願いしたためお送りしています。`,
  stop: '今後このメールを受け取らない',
}
