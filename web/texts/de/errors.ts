import { number } from '../../shared/format.ts';
import { pointsText } from '../../shared/points-text.ts';
import type { ErrorTexts, IssueTexts } from '../texts.ts';

/** What people can do about an error, by what the service says is wrong. */
export const issueTexts = {
  required: 'Es fehlt noch etwas.',
  too_small: 'Ein Wert ist zu klein.',
  too_big: 'Ein Wert ist zu groß.',
  invalid_format: 'Ein Wert hat nicht die richtige Form.',
  no_rule: 'Das Geschäft hat noch keine Regel für Punkte.',
  below_minimum_balance: 'Zum Einlösen sind es noch zu wenige Punkte.',
  above_maximum_share: 'So viel lässt sich in 24 Stunden nicht einlösen.',
  code_used: 'Dieser Code ist schon eingelöst.',
  code_expired: 'Dieser Code ist abgelaufen.',
  code_cancelled: 'Dieser Code wurde storniert. Seine Punkte sind zurück.',
  own_code: 'Das ist ein eigener Code. Jemand anderes muss ihn einlösen.',
  own_member: 'Das ist die eigene Mitgliedsnummer. Jemand anderes im Team muss das machen.',
  sale_taken: 'Dieser Verkauf gehört schon jemandem oder wartet auf die Person, die er nennt.',
  sale_too_old: 'Dieser Verkauf liegt zu lange zurück.',
  member_limit:
    'Zu dieser Person kamen innerhalb eines Tages fünf Verkäufe. Morgen geht es wieder.',
  too_many_attachments:
    'Mit diesem Konto wurden in einer Stunde 60 Verkäufe zugeordnet. Später geht es wieder.',
  till_attach_off:
    'Dieses Geschäft ordnet an der Kasse keine Verkäufe zu. Ändern lässt sich das im ' +
    'Händlerportal.',
  shop_required: 'Bitte zuerst ein Geschäft wählen.',
  too_many_intervals: 'Der Zeitraum ist zu lang für so kleine Schritte.',
  too_many_reports:
    'Ein anderer Bericht wird gerade erstellt, oder das Tageslimit ist erreicht. Bitte später ' +
    'noch einmal versuchen.',
  import_changed: 'Die Datei hat eine andere Punktesumme. Bitte noch einmal prüfen.',
  import_state: 'Mit dieser Datei geht das nicht mehr. Bitte die Seite neu laden.',
  goodwill_open:
    'Für diese Person ist schon um Punkte gebeten. Warten Sie die Antwort ab, oder ziehen Sie ' +
    'die Bitte zurück.',
  goodwill_state:
    'Das wurde inzwischen beantwortet oder zurückgezogen. Sehen Sie es sich noch einmal an.',
  too_many_goodwill: 'Zwanzig Bitten um Punkte warten auf Antwort. Ziehen Sie erst eine zurück.',
  mail_underway: 'Die E-Mail ist schon unterwegs. Der Code steht auch in der App der Person.',
  mailed_lately:
    'Die E-Mail ging vor weniger als einer Minute hinaus. Warten Sie ein wenig, und sehen Sie ' +
    'auch im Spam nach.',
  mailed_often: 'Die E-Mail wurde dreimal erneut gesendet. Der Code steht in der App der Person.',
  no_verified_email: 'Die Person hat keine E-Mail-Adresse bestätigt. Der Code steht in ihrer App.',
  too_many_imports: 'Innerhalb eines Tages wurden zehn Dateien hochgeladen. Morgen geht es wieder.',
  too_many_exports:
    'Deine Daten werden gerade geladen, oder du hast sie innerhalb eines Tages dreimal geladen. ' +
    'Versuch es später noch einmal.',
  too_many_invites: 'Zu viele Einladungen sind offen. Bitte zuerst einige zurückziehen.',
  too_many_endpoints: 'Es gibt schon zehn Endpunkte. Bitte zuerst einen löschen.',
  address_not_public: 'Die Adresse muss öffentlich erreichbar sein und mit https:// beginnen.',
  insufficient_balance: 'Dafür reichen die Punkte nicht.',
  points_pending: ({ available }) =>
    typeof available === 'number' && available > 0
      ? `Bisher einlösbar: ${pointsText(available)}. Die übrigen stehen noch aus, solange die ` +
        'Einkäufe zurückgegeben werden können.'
      : 'Diese Punkte stehen noch aus, solange die Einkäufe zurückgegeben werden können.',
  currency_set: 'Die Währung lässt sich nicht mehr ändern.',
  time_zone_required: 'Bitte zuerst bei den Bedingungen die Zeitzone des Geschäfts wählen.',
  time_zone_set: 'Die Zeitzone lässt sich nicht mehr ändern. Der Support kann helfen.',
  too_generous:
    'So gibt es mehr Punkte, als ein Verkauf wert ist. Bitte einen höheren Mindestbetrag wählen.',
  too_many_rewards: 'Es laufen schon fünfzig Prämien. Bitte zuerst eine beenden.',
  reward_ended: 'Das Geschäft bietet das nicht mehr an.',
  reward_limit: 'Dafür hast du schon einen Code. Löse ihn zuerst ein oder storniere ihn.',
  sold_out: 'Davon ist nichts mehr da. Versuch es später noch einmal.',
  too_many_campaigns: 'Es laufen schon zwanzig Aktionen. Bitte zuerst eine beenden.',
  contact_unverified:
    'Bestätige zuerst deine E-Mail-Adresse oder Telefonnummer, damit deine Einkäufe erkannt ' +
    'werden.',
  tenant_suspended: 'Dieses Geschäft ist ausgesetzt. Die Punkte bleiben, bis es weitergeht.',
  wallet_frozen: 'Dieses Punktekonto ist gesperrt.',
  own_wallet: 'Das betrifft die eigene Person. Jemand anderes aus der Verwaltung muss es tun.',
  own_account: 'Das ist das eigene Konto. Jemand anderes aus der Verwaltung muss es ändern.',
  not_erasable:
    'Wer an einer Kasse arbeitet oder es in den letzten 90 Tagen tat, wird von der Verwaltung ' +
    'gelöscht: Der Support hilft. Konten von Händlern und Verwaltung werden nicht gelöscht, ' +
    'solange sie das sind.',
  erased: 'Diese Person ist gelöscht. Daran lässt sich nichts mehr ändern.',
  last_admin: 'Das ist das letzte Konto der Verwaltung. Bitte zuerst ein weiteres einrichten.',
  suspended: 'Dieses Konto ist ausgesetzt.',
  wrong_client: 'In dieser App geht das nicht.',
  missing_scope: 'Diese Anmeldung reicht dafür nicht. Bitte abmelden und in dieser App anmelden.',
  sign_in_again:
    'Die Anmeldung ist dafür zu lange her oder zu schwach. Bitte abmelden und neu anmelden.',
  limit_per_day: ({ left }) =>
    typeof left === 'number' && left > 0
      ? `Das ist mehr, als in 24 Stunden erlaubt ist. Übrige Punkte: ${number(left)}.`
      : 'Das Limit für 24 Stunden ist erreicht. Jemand anderes aus der Verwaltung kann es tun.',
} satisfies IssueTexts;

/** The same by the code of an error whose issues say nothing. */
export const errorTexts = {
  CANCELLED:
    'Ob das geklappt hat, ist nicht bekannt. Bitte noch einmal versuchen: Es geschieht in jedem ' +
    'Fall nur einmal.',
  UNREACHABLE:
    'Der Dienst ist nicht erreichbar. Bitte die Verbindung prüfen und noch einmal versuchen.',
  UNAUTHORIZED: 'Die Anmeldung ist abgelaufen. Bitte neu anmelden.',
  FORBIDDEN: 'Das ist mit diesem Konto nicht erlaubt.',
  INSUFFICIENT_ROLE: 'Das ist mit diesem Konto nicht erlaubt.',
  TENANT_FORBIDDEN: 'Dieses Geschäft gehört nicht zu diesem Konto.',
  TENANT_NOT_FOUND: 'Dieses Geschäft gibt es nicht.',
  NOT_FOUND: 'Unter dieser Adresse gibt es nichts.',
  RATE_LIMITED: 'Das war zu oft. Bitte kurz warten und noch einmal versuchen.',
  INTERNAL_ERROR: 'Beim Dienst ist ein Fehler aufgetreten. Bitte noch einmal versuchen.',
  INSUFFICIENT_BALANCE: 'Dafür reichen die Punkte nicht.',
} satisfies ErrorTexts;
