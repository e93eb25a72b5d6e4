// Generated from ja.json by `npm run generate`. Do not edit.
import type { AppearanceMessages } from './appearance-messages.js';

export const ja: AppearanceMessages = {
  appearance: '外観',
  purpose: '視聴者と配信者向けページの見た目です。共有されたリンクには名前とロゴが表示されます。',
  name: '名前',
  nameHint: '会社名など、ページのタイトルです。',
  colors: { accent: 'アクセントカラー', background: '背景色' },
  colorHints: {
    accent: 'ライブのバッジとボタンの色です。空欄：製品の色。',
    background: 'ページの背景色です。文字は読みやすいほうの黒か白になります。空欄：製品の色。',
  },
  choose: (field) => `選択：${field}`,
  notAColor: '#e5484d のような色を入力してください。',
  tooPale: (found, needed, nearest) => `白い文字が読みにくい色です（コントラスト ${found}、必要な値 ${needed}）。使える最も近い色は ${nearest} です。`,
  save: '保存',
  saved: '保存しました。ページは 10 秒以内に変わります。',
  reset: 'リセット',
  wasReset: 'ページは製品の見た目に戻りました。',
  logo: 'ロゴ',
  logoHint: 'PNG、JPEG、WebP の画像。大きな画像は縮小されます。',
  noLogo: 'ロゴはありません。',
  addLogo: '画像を選択',
  replaceLogo: '別の画像を選択',
  removeLogo: 'ロゴを削除',
  unreadableLogo: 'このファイルは使用できる画像ではありません。PNG、JPEG、WebP のファイルを選んでください。',
  preview: 'プレビュー',
  sampleText: '配信はまだ始まっていません。',
  sampleBadge: 'ライブ',
  sampleButton: 'ライブを開始',
};
