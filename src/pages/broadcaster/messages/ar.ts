// Generated from ar.json by `npm run generate`. Do not edit.
import { ar as copy } from '../../messages/ar.js';
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
  refusedLink: 'لا يمكنك بدء البث بهذا الرابط. اسأل من أرسله إليك.',
  share: 'مشاركة',
  viewerLink: 'رابط للمشاهدين',
  iframe: 'إطار لموقع ويب',
  tag: 'وسم لموقع ويب',
  privateStream: 'هذا البث خاص: تحتاج مشاهدته إلى رابط يتضمن رمزًا.',
  createViewerLink: 'إنشاء رابط للمشاهدين',
  askForLinks: 'تُفتح لوحة التحكم في علامة تبويب أخرى ويستمر بثك هنا. إذا لم يكن لديك حساب فاطلب الرابط ممن أرسل إليك هذا الرابط.',
  language: 'اللغة',
  willBeRecorded: 'سيُسجَّل هذا البث من بدايته. يمكنك إيقاف التسجيل أثناء البث.',
  copy,
};
