import type { ScheduledPageMessages } from './scheduled-page-messages.js';

export const ar: ScheduledPageMessages = {
  loading: 'جارٍ التحميل…',
  lost: 'انقطع الاتصال. تجري إعادة المحاولة…',
  missing: { title: 'هذا البث غير موجود', next: 'ربما حُذف. اطلب الرابط من جديد.' },
  timeLeft: 'الوقت المتبقي حتى البداية',
  units: {
    days: ['يوم', 'أيام'],
    hours: ['ساعة', 'ساعات'],
    minutes: ['دقيقة', 'دقائق'],
    seconds: ['ثانية', 'ثوانٍ'],
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
