// Generated from zh.json by `npm run generate`. Do not edit.
import type { NoticeMessages } from './notice-messages.js';

export const zh: NoticeMessages = {
  title: '未选择直播',
  missing: '此网页的地址不包含直播。地址的格式应为：',
  next: '请索取完整链接。',
};
