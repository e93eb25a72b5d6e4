import type { EndReasons, RefusalReasons } from './reason-messages.js';

export const refusalReasons: RefusalReasons = {
  token_missing: '请求没有令牌，而此直播流需要令牌。',
  token_unknown: '令牌不存在。',
  token_wrong_kind: '令牌类型不对：应为推流令牌却是观看令牌，或相反。',
  token_disabled: '令牌已停用。',
  token_expired: '令牌已过期。',
  stream_not_permitted: '令牌用于其他直播流。',
  stream_not_live: '没有正在进行的直播，只有持令牌的观众可以等待。',
  stream_in_use: '其他人正在发布此直播流。',
  origin_not_allowed: '令牌用于其他网站。',
  address_denied: '令牌拒绝此地址。',
  address_not_allowed: '令牌用于其他地址。',
  country_not_allowed: '令牌用于其他国家或地区。',
  address_not_bound: '令牌已绑定到其他地址。',
  token_full: '使用此令牌观看的人数已达上限。',
};

export const endReasons: EndReasons = {
  ...refusalReasons,
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
  stopped_by_owner: '有人通过控制台或 API 停止了直播。',
  idle: '设备已连接，但没有请求任何内容。',
  displaced: '另一位观众占用了令牌允许的名额。',
  removed_by_owner: '有人通过控制台或 API 断开了连接。',
};
