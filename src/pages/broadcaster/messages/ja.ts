import type { BroadcasterPageMessages } from './broadcaster-page-messages.js';

export const ja: BroadcasterPageMessages = {
  incompleteLink: 'このリンクは不完全です',
  streamAndToken: '配信の名前とトークンが必要です：',
  makesOne: ['', 'ダッシュボード', 'からワンクリックで作成できます。'],
  dashboard: 'ダッシュボード',
  linkComes: 'ライブを開始すると、視聴者用のリンクがここに表示されます。',
  share: '共有',
  viewerLink: '視聴者用リンク',
  frame: 'ウェブサイト用フレーム',
  tag: 'ウェブサイト用タグ',
  privateStream: ['非公開の配信では視聴者にトークンが必要です。リンクは', 'ダッシュボード', 'で作成してください。'],
  copy: {
    copy: 'コピー',
    copied: 'コピーしました',
    copyThis: (label) => `${label}をコピー`,
    copiedThis: (label) => `${label}をコピーしました`,
  },
};
