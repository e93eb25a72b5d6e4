import type { BroadcasterPageMessages } from './broadcaster-page-messages.js';

export const ja: BroadcasterPageMessages = {
  incompleteLink: 'このリンクは不完全です',
  neededParts: '配信用のリンクには、配信名とトークンが含まれます：',
  createdBy: ['', 'ダッシュボード', 'で作成してください。'],
  insecure: {
    title: 'ここではカメラを使えません',
    cause:
      'ブラウザーがカメラとマイクの使用を許可するのは、https のページと localhost だけです。このページは http で読み込まれました。',
    next: ['https で開いてください。', 'https の設定方法', ''],
  },
  dashboard: 'ダッシュボード',
  linkAfterStart: 'ライブを開始すると、視聴者用のリンクがここに表示されます。',
  share: '共有',
  viewerLink: '視聴者用リンク',
  iframe: 'ウェブサイト用フレーム',
  tag: 'ウェブサイト用タグ',
  privateStreams: [
    '非公開の配信の視聴にはトークンが必要です。トークン付きのリンクは',
    'ダッシュボード',
    'で作成してください。',
  ],
  copy: {
    copy: 'コピー',
    copied: 'コピーしました',
    copyThis: (label) => `${label}をコピー`,
    copiedThis: (label) => `${label}をコピーしました`,
  },
};
