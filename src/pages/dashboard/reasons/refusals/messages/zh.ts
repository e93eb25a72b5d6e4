// Generated from zh.json by `npm run generate`. Do not edit.
import type { RefusalReasons } from './refusal-reasons.js';

export const zh: RefusalReasons = {
  token_missing: '请求没有令牌，而此直播流需要令牌。',
  token_unknown: '令牌不存在。',
  token_wrong_kind: '令牌类型不对：应为推流令牌却是观看令牌，或相反。',
  token_disabled: '令牌已停用。',
  token_expired: '令牌已过期。',
  stream_not_permitted: '令牌用于其他直播流。',
  stream_not_live: '当时还没有直播。没有令牌的播放器会等待，开播时再次请求。',
  stream_in_use: '其他人正在发布此直播流。',
  origin_not_allowed: '令牌用于其他网站。',
  address_denied: '令牌拒绝此地址。',
  address_not_allowed: '令牌用于其他地址。',
  country_not_allowed: '令牌用于其他国家或地区。',
  address_not_bound: '令牌已绑定到其他地址。',
  token_full: '使用此令牌观看的人数已达上限。',
  account_full: '该账户的会话数已达到运营者允许的上限。',
};
