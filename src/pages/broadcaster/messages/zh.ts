import type { BroadcasterPageMessages } from './broadcaster-page-messages.js';

export const zh: BroadcasterPageMessages = {
  incompleteLink: '此链接不完整',
  neededParts: '开播链接包含直播名称和令牌：',
  createdBy: ['请在', '控制台', '中创建。'],
  dashboard: '控制台',
  linkAfterStart: '开播后，观众链接会显示在这里。',
  share: '分享',
  viewerLink: '观众链接',
  iframe: '网站框架代码',
  tag: '网站标签代码',
  privateStreams: ['观看未公开的直播需要令牌。请在', '控制台', '中创建带令牌的链接。'],
  copy: {
    copy: '复制',
    copied: '已复制',
    copyThis: (label) => `复制${label}`,
    copiedThis: (label) => `已复制${label}`,
  },
};
