import type { MailTexts } from '../mail-texts.ts';

export const ar: MailTexts = {
  hello: 'مرحبًا {name}،',
  helloAnyone: 'مرحبًا،',
  credit: 'رصيد بقيمة {amount}',
  discount: 'خصم {percent}',
  available: 'ستكون متاحة اعتبارًا من {date}.',
  seeRewards: 'عرض مكافآتك',
  addDetails: 'إضافة بيانات الدفع',
  openPage: 'فتح صفحتك',
  why: 'تصلك هذه الرسالة لأنك مشارك في {program}.',
  stop: 'إلغاء الاشتراك',
  unsubscribe: {
    title: 'إلغاء الاشتراك',
    question: 'هل تريد إيقاف هذه الرسائل؟',
    thisKind: 'إيقاف الرسائل من هذا النوع',
    everyKind: 'إيقاف الرسائل من جميع الأنواع',
    whatStays: 'ستبقى مشاركًا، وتبقى مكافآتك لك.',
    doneTitle: 'تم إلغاء اشتراكك',
    done: 'لن تصلك هذه الرسائل بعد الآن. قد يستغرق ذلك دقيقة.',
  },
  kinds: {
    friend_joined: {
      subject: 'انضم شخص إلى {product} عبر رابطك',
      body: 'سجّل شخص للتو عبر رابطك. شكرًا لك على التوصية بـ {product}!',
    },
    reward_earned: {
      subject: 'لقد كسبت {reward}',
      body: 'لقد كسبت مكافأة في {program}: {reward}. {availability}',
    },
    payout_ordered: {
      subject: 'دفعتك بقيمة {reward} في الطريق',
      body: 'لقد أمرنا بصرف {reward}. يستغرق وصولها عادةً بضعة أيام.',
    },
    reward_paid: {
      subject: 'لقد استلمت {reward}',
      body: 'تم تسليمك مكافأتك من {program}: {reward}. شكرًا لك على التوصية بـ {product}!',
    },
    payout_details_missing: {
      subject: 'إلى أين نرسل أموالك؟',
      body: 'لقد كسبت مالًا في {program}، لكننا لا نعرف إلى أين نرسله. يرجى إضافة بيانات الدفع لتكون ضمن الدفعة التالية.',
    },
    partner_welcome: {
      subject: 'أهلًا بك شريكًا في {product}',
      body: 'أصبحت الآن شريكًا في {program}. تعرض صفحتك رابطك ومكافآتك ومدفوعاتك.',
    },
  },
};
