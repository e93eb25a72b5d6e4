import type { BroadcasterPageMessages } from './broadcaster-page-messages.js';

export const ar: BroadcasterPageMessages = {
  incompleteLink: 'هذا الرابط غير مكتمل',
  neededParts: 'ينبغي أن يذكر بثًا وأن يتضمن رمزًا:',
  createdBy: ['تنشئ ', 'لوحة التحكم', ' رابطًا بنقرة واحدة.'],
  dashboard: 'لوحة التحكم',
  linkAfterStart: 'عندما تبدأ البث سيظهر هنا الرابط المخصص لمشاهديك.',
  share: 'مشاركة',
  viewerLink: 'رابط للمشاهدين',
  iframe: 'إطار لموقع ويب',
  tag: 'وسم لموقع ويب',
  privateStreams: ['يتطلب البث الخاص رمزًا من المشاهدين: أنشئ روابطهم في ', 'لوحة التحكم', '.'],
  copy: {
    copy: 'نسخ',
    copied: 'تم النسخ',
    copyThis: (label) => `نسخ: ${label}`,
    copiedThis: (label) => `تم النسخ: ${label}`,
  },
};
