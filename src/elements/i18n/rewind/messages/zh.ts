// Generated from zh.json by `npm run generate`. Do not edit.
import type { RewindMessages } from '../../messages.js';

export const zh: RewindMessages = {
  timeline: '时间轴',
  behindLive: (_count, shownCount) => `比直播晚${shownCount}`,
  speed: '播放速度',
  goToLive: '回到直播',
  fromBeginning: '从头观看',
  noRewind: '此浏览器不支持回看',
  rewind_codec_unsupported: ['此直播无法回看', '其视频格式不支持回看。'],
  session_required: ['现在无法回看', '请等待直播连接成功。'],
};
