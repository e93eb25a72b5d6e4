// Generated from ar.json by `npm run generate`. Do not edit.
import type { NoticeMessages } from './notice-messages.js';

export const ar: NoticeMessages = {
  title: 'لم يتم اختيار بث',
  missing: 'لا يتضمن عنوان هذه الصفحة أي بث. ينبغي أن يكون بهذا الشكل:',
  next: 'اطلب الرابط الكامل.',
};
