import type { BroadcasterPageMessages } from './broadcaster-page-messages.js';

export const ar: BroadcasterPageMessages = {
  incompleteLink: 'هذا الرابط غير مكتمل',
  neededParts: 'يتضمن رابط البث اسم البث ورمزًا:',
  createdBy: ['أنشئ رابطًا في ', 'لوحة التحكم', '.'],
  insecure: {
    title: 'الكاميرا غير متاحة هنا',
    cause: 'لا تمنح المتصفحات الكاميرا والميكروفون إلا للصفحات عبر https أو على localhost. حُمّلت هذه الصفحة عبر http.',
    next: ['افتحها عبر https. ', 'كيفية إعداد https', ''],
  },
  dashboard: 'لوحة التحكم',
  linkAfterStart: 'عندما تبدأ البث سيظهر هنا الرابط المخصص لمشاهديك.',
  share: 'مشاركة',
  viewerLink: 'رابط للمشاهدين',
  iframe: 'إطار لموقع ويب',
  tag: 'وسم لموقع ويب',
  privateStreams: ['يحتاج مشاهدو البث الخاص إلى رمز. أنشئ روابط تتضمن رمزًا في ', 'لوحة التحكم', '.'],
  copy: {
    copy: 'نسخ',
    copied: 'تم النسخ',
    copyThis: (label) => `نسخ: ${label}`,
    copiedThis: (label) => `تم النسخ: ${label}`,
  },
};
