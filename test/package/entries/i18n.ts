import 'streamgate/i18n/ar';
import 'streamgate/i18n/de';
import 'streamgate/i18n/es';
import 'streamgate/i18n/fr';
import 'streamgate/i18n/ja';
import 'streamgate/i18n/zh';
