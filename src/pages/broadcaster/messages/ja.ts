// Generated from ja.json by `npm run generate`. Do not edit.
import { ja as copy } from '../../messages/ja.js';
import type { BroadcasterPageMessages } from './broadcaster-page-messages.js';

export const ja: BroadcasterPageMessages = {
  incompleteLink: 'このリンクは不完全です',
  neededParts: '配信用のリンクには、配信名とトークンが含まれます：',
  createdBy: ['', 'ダッシュボード', 'で作成してください。'],
  insecure: {
    title: 'ここではカメラを使えません',
    cause: 'ブラウザーがカメラとマイクの使用を許可するのは、https のページと localhost だけです。このページは http で読み込まれました。',
    next: ['https で開いてください。', 'https の設定方法', ''],
  },
  dashboard: 'ダッシュボード',
  linkAfterStart: 'ライブを開始すると、視聴者用のリンクがここに表示されます。',
  refusedLink: 'このリンクでは配信を開始できません。このリンクを送った人に確認してください。',
  share: '共有',
  viewerLink: '視聴者用リンク',
  iframe: 'ウェブサイト用フレーム',
  tag: 'ウェブサイト用タグ',
  privateStream: 'この配信は非公開です。視聴するには、トークン付きのリンクが必要です。',
  createViewerLink: '視聴用リンクを作成',
  askForLinks: 'ダッシュボードが別のタブで開き、配信はここで続きます。ログインできない場合は、このリンクを送った人に依頼してください。',
  language: '表示言語',
  willBeRecorded: 'この配信は最初から録画されます。配信中に録画を停止できます。',
  copy,
};
