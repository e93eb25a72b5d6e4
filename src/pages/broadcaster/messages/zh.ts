// Generated from zh.json by `npm run generate`. Do not edit.
import { zh as copy } from '../../messages/zh.js';
import type { BroadcasterPageMessages } from './broadcaster-page-messages.js';

export const zh: BroadcasterPageMessages = {
  incompleteLink: '此链接不完整',
  neededParts: '开播链接包含直播名称和令牌：',
  createdBy: ['请在', '控制台', '中创建。'],
  insecure: {
    title: '此处无法使用摄像头',
    cause: '浏览器只允许通过 https 打开的网页或 localhost 使用摄像头和麦克风。此网页是通过 http 加载的。',
    next: ['请用 https 打开。', '如何设置 https', ''],
  },
  dashboard: '控制台',
  linkAfterStart: '开播后，观众链接会显示在这里。',
  refusedLink: '无法使用此链接开始直播。请联系给您发送此链接的人。',
  share: '分享',
  viewerLink: '观众链接',
  iframe: '网站框架代码',
  tag: '网站标签代码',
  privateStream: '此直播未公开：观看需要带令牌的链接。',
  createViewerLink: '创建观众链接',
  askForLinks: '控制台会在另一个标签页中打开，此处继续直播。如果您无法登录，请联系给您发送此链接的人。',
  language: '语言',
  willBeRecorded: '本次直播从开始时就会录制。直播期间可以停止录制。',
  copy,
};
