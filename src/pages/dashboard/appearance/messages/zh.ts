// Generated from zh.json by `npm run generate`. Do not edit.
import type { AppearanceMessages } from './appearance-messages.js';

export const zh: AppearanceMessages = {
  appearance: '外观',
  purpose: '观众页面和主播页面的外观。他人分享的链接会显示名称和标志。',
  name: '名称',
  nameHint: '页面的标题，例如公司名称。',
  colors: { accent: '强调色', background: '背景色' },
  colorHints: { accent: '用于直播标记和按钮。留空：产品的颜色。', background: '用于页面。文字为黑色或白色，取更易读者。留空：产品的颜色。' },
  choose: (field) => `选择：${field}`,
  notAColor: '请输入类似 #e5484d 的颜色。',
  tooPale: (found, needed, nearest) => `白色文字在其上难以辨认：对比度 ${found}，需要 ${needed}。最接近的可用颜色是 ${nearest}。`,
  save: '保存',
  saved: '已保存。页面将在十秒内更新。',
  reset: '重置',
  wasReset: '页面已恢复为产品外观。',
  logo: '标志',
  logoHint: 'PNG、JPEG 或 WebP 图片。较大的图片会被缩小。',
  noLogo: '没有标志。',
  addLogo: '选择图片',
  replaceLogo: '选择其他图片',
  removeLogo: '移除标志',
  unreadableLogo: '此文件不是可用的图片。请选择 PNG、JPEG 或 WebP 文件。',
  preview: '预览',
  sampleText: '直播尚未开始。',
  sampleBadge: '直播中',
  sampleButton: '开始直播',
};
