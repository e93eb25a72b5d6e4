// Generated from zh.json by `npm run generate`. Do not edit.
import { zh as included } from '../../refusals/messages/zh.js';
import type { EndReasons } from './end-reasons.js';

export const zh: EndReasons = {
  ...included,
  left: '自行离开。',
  lost: '与设备的连接已断开。',
  not_resumed: '连接已断开，设备未能及时返回。',
  not_connected: '无法连接媒体。',
  b_frames: '编码器发送了 B 帧。请在编码器中将 B 帧设为 0。',
  codec_unsupported: '不支持编码器的视频编解码器。请将视频编码器设置为 H.264。',
  nothing_to_publish: '编码器没有发送可以发布的画面或声音。',
  server_lost: '服务器意外停止。',
  replaced: '同一设备重新连接。',
  transport_lost: '媒体不再到达。',
  media_engine_restarted: '媒体引擎已重启。',
  server_stopping: '服务器已停止。',
  database_unavailable: '服务器失去了与数据库的连接。',
  moved: '直播流在另一台服务器上。',
  stopped_by_owner: '有人通过控制台或 API 停止了直播。',
  idle: '设备已连接，但没有请求任何内容。',
  bitrate_too_high: '编码器发送的码率远超运营方允许的上限。请在编码器中降低码率。',
  displaced: '另一位观众占用了令牌允许的名额。',
  removed_by_owner: '有人通过控制台或 API 断开了连接。',
};
