// Generated from de.json by `npm run generate`. Do not edit.
import { de as included } from '../../refusals/messages/de.js';
import type { EndReasons } from './end-reasons.js';

export const de: EndReasons = {
  ...included,
  left: 'Von selbst gegangen.',
  lost: 'Die Verbindung zum Gerät ist abgebrochen.',
  not_resumed: 'Die Verbindung ist abgebrochen, und das Gerät kam nicht rechtzeitig zurück.',
  not_connected: 'Bild und Ton konnten nicht verbunden werden.',
  b_frames: 'Der Encoder hat B-Frames gesendet. Stellen Sie B-Frames im Encoder auf 0.',
  codec_unsupported: 'Der Video-Codec des Encoders wird nicht unterstützt. Stellen Sie den Video-Encoder auf H.264.',
  nothing_to_publish: 'Der Encoder hat weder Bild noch Ton gesendet, die sich veröffentlichen lassen.',
  server_lost: 'Der Server wurde unerwartet beendet.',
  replaced: 'Dasselbe Gerät hat sich neu verbunden.',
  transport_lost: 'Bild und Ton kamen nicht mehr an.',
  media_engine_restarted: 'Der Medienserver wurde neu gestartet.',
  server_stopping: 'Der Server wurde angehalten.',
  database_unavailable: 'Der Server hatte seine Datenbank verloren.',
  moved: 'Der Stream war auf einem anderen Server.',
  stopped_by_owner: 'Jemand hat die Übertragung im Dashboard oder über die API beendet.',
  idle: 'Das Gerät hat sich verbunden und nichts verlangt.',
  bitrate_too_high: 'Der Encoder sendete weit mehr, als der Betreiber erlaubt. Senken Sie die Bitrate im Encoder.',
  displaced: 'Ein anderer Zuschauer hat den Platz eingenommen, den das Token erlaubt.',
  removed_by_owner: 'Jemand hat die Verbindung im Dashboard oder über die API getrennt.',
};
