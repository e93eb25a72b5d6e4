// Generated from ar.json by `npm run generate`. Do not edit.
import type { AppearanceMessages } from './appearance-messages.js';

export const ar: AppearanceMessages = {
  appearance: 'المظهر',
  purpose: 'مظهر صفحات المشاهدين والمذيعين. تعرض الروابط المشارَكة الاسم والشعار.',
  name: 'الاسم',
  nameHint: 'عنوان الصفحات، مثل اسم شركتك.',
  colors: { accent: 'لون التمييز', background: 'لون الخلفية' },
  colorHints: {
    accent: 'لشارة البث المباشر والأزرار. فارغ: لون المنتج.',
    background: 'للصفحات. تكون النصوص عليه سوداء أو بيضاء، أيهما أسهل قراءة. فارغ: لون المنتج.',
  },
  choose: (field) => `اختيار: ${field}`,
  notAColor: 'أدخل لونًا مثل \u200e#e5484d.',
  tooPale: (found, needed, nearest) => `تصعب قراءة النص الأبيض عليه: التباين ${found} والمطلوب ${needed}. أقرب لون مناسب هو \u2066${nearest}\u2069.`,
  save: 'حفظ',
  saved: 'تم الحفظ. تتغير الصفحات خلال عشر ثوانٍ.',
  reset: 'إعادة الضبط',
  wasReset: 'عادت الصفحات إلى مظهر المنتج.',
  logo: 'الشعار',
  logoHint: 'صورة بصيغة PNG أو JPEG أو WebP. تُصغَّر الصور الكبيرة.',
  noLogo: 'لا يوجد شعار.',
  addLogo: 'اختيار صورة',
  replaceLogo: 'اختيار صورة أخرى',
  removeLogo: 'إزالة الشعار',
  unreadableLogo: 'هذا الملف ليس صورة صالحة. اختر ملف PNG أو JPEG أو WebP.',
  preview: 'معاينة',
  sampleText: 'لم يبدأ البث بعد.',
  sampleBadge: 'مباشر',
  sampleButton: 'بدء البث',
};
