// Generated from zh.json by `npm run generate`. Do not edit.
import type { ScheduledPageMessages } from './scheduled-page-messages.js';

export const zh: ScheduledPageMessages = {
  loading: '正在加载…',
  lost: '连接已断开，正在重试…',
  missing: { title: '此直播不存在', next: '它可能已被删除。请重新索取链接。' },
  timeLeft: '距离开始的时间',
  units: { days: () => '天', hours: () => '小时', minutes: () => '分钟', seconds: () => '秒' },
  becomesPlayer: '开播后，此网页会自动变成播放器。',
  timeZone: (name) => `您的时间：${name}`,
  addToCalendar: '添加到日历',
  landmarks: { tenMinutes: '直播将在十分钟后开始。', oneMinute: '直播将在一分钟后开始。', start: '直播即将开始。' },
  begun: '直播已开始。',
  starting: '尚未开始',
  paused: '直播已中断，可能会继续：请在此网页等候。',
  over: '此直播已结束。感谢观看！',
};
