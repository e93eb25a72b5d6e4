// Generated from zh.json by `npm run generate`. Do not edit.
import type { QualityMessages } from './quality-messages.js';

export const zh: QualityMessages = {
  experience: '观众看到的画质',
  nothing: '这段时间没有观众报告。',
  devices: { phone: '手机', tablet: '平板', tv: '电视', desktop: '电脑', unknown: '未知设备' },
  freezes: (count, duration) => `卡顿：${count} 次（${duration}）`,
  pictureAfter: (duration) => `${duration} 后出现画面`,
  frozen: '画面卡顿',
  firstPicture: '首帧画面',
  within: (median, p95) => `一半在 ${median} 内，95% 在 ${p95} 内`,
  resolution: '分辨率',
  roundTrip: '往返时间',
  loss: '丢失的数据包',
  worst: '最差的五分钟',
  worstAt: (time, frozen, _all, shownAll) => `${time}：${shownAll} 位观众中有 ${frozen} 位出现卡顿。`,
  causes: {
    server_load: '服务器负载过高：发给观众的数据变少或太迟。请减轻其负载或增加核心。',
    broadcast: '多数观众没有丢包也出现卡顿。请检查主播的上行网络。',
    server_network: '多数观众丢包。请检查服务器的网络。',
    viewer_network: '少数观众在自己到服务器的线路上丢包。',
    viewer_device: '少数观众没有丢包也出现卡顿。他们的设备可能太慢。',
  },
};
