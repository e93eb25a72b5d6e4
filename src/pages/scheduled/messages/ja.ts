// Generated from ja.json by `npm run generate`. Do not edit.
import type { ScheduledPageMessages } from './scheduled-page-messages.js';

export const ja: ScheduledPageMessages = {
  loading: '読み込んでいます…',
  lost: '接続が切れました。再試行しています…',
  missing: { title: 'この配信は存在しません', next: '削除された可能性があります。もう一度リンクをもらってください。' },
  timeLeft: '開始までの時間',
  units: { days: () => '日', hours: () => '時間', minutes: () => '分', seconds: () => '秒' },
  becomesPlayer: '開始すると、このページがそのままプレーヤーになります。',
  timeZone: (name) => `お使いの地域の時刻：${name}`,
  addToCalendar: 'カレンダーに追加',
  landmarks: {
    tenMinutes: '配信はあと10分で始まります。',
    oneMinute: '配信はあと1分で始まります。',
    start: '配信はまもなく始まります。',
  },
  begun: '配信が始まりました。',
  starting: 'まだ始まっていません',
  paused: '配信が中断しました。再開するまで、このページで待ちます。',
  over: 'この配信は終了しました。ご視聴ありがとうございました。',
};
