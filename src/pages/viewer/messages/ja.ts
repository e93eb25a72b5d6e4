// Generated from ja.json by `npm run generate`. Do not edit.
import type { NoticeMessages } from './notice-messages.js';

export const ja: NoticeMessages = {
  title: '配信が選択されていません',
  missing: 'このページのアドレスに配信が含まれていません。正しい形式は次のとおりです：',
  next: '完全なリンクを依頼してください。',
};
