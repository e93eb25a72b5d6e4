import 'streamgate/words/ar';
import 'streamgate/words/de';
import 'streamgate/words/es';
import 'streamgate/words/fr';
import 'streamgate/words/ja';
import 'streamgate/words/zh';
