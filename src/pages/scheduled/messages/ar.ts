// Generated from ar.json by `npm run generate`. Do not edit.
import type { ScheduledPageMessages } from './scheduled-page-messages.js';

export const ar: ScheduledPageMessages = {
  loading: 'جارٍ التحميل…',
  lost: 'انقطع الاتصال. تجري إعادة المحاولة…',
  missing: { title: 'هذا البث غير موجود', next: 'ربما حُذف. اطلب الرابط من جديد.' },
  timeLeft: 'الوقت المتبقي حتى البداية',
  units: {
    days: (count) => ({ zero: 'يوم', one: 'يوم', two: 'يومان', few: 'أيام', many: 'يومًا', other: 'يوم' } as Record<string, string>)[new Intl.PluralRules('ar').select(count)]!,
    hours: (count) => ({ zero: 'ساعة', one: 'ساعة', two: 'ساعتان', few: 'ساعات', many: 'ساعة', other: 'ساعة' } as Record<string, string>)[new Intl.PluralRules('ar').select(count)]!,
    minutes: (count) => ({ zero: 'دقيقة', one: 'دقيقة', two: 'دقيقتان', few: 'دقائق', many: 'دقيقة', other: 'دقيقة' } as Record<string, string>)[new Intl.PluralRules('ar').select(count)]!,
    seconds: (count) => ({ zero: 'ثانية', one: 'ثانية', two: 'ثانيتان', few: 'ثوانٍ', many: 'ثانية', other: 'ثانية' } as Record<string, string>)[new Intl.PluralRules('ar').select(count)]!,
  },
  becomesPlayer: 'تتحول هذه الصفحة إلى المشغّل تلقائيًا.',
  timeZone: (name) => `بتوقيتك: ${name}`,
  addToCalendar: 'إضافة إلى التقويم',
  landmarks: {
    tenMinutes: 'يبدأ البث بعد عشر دقائق.',
    oneMinute: 'يبدأ البث بعد دقيقة واحدة.',
    start: 'يبدأ البث في أي لحظة.',
  },
  begun: 'بدأ البث المباشر.',
  starting: 'لم يبدأ بعد',
  paused: 'توقف البث. قد يُستأنف: هذه الصفحة تنتظر.',
  over: 'انتهى هذا البث. شكرًا على المشاهدة!',
};
