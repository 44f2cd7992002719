/**
 * The sentences with which exports, schedules, mails and backups end, and those of the limits of the
 * service, in German, by the English ones.
 */
export const workSentences: Readonly<Record<string, string>> = {
  // Exports
  'The file store failed in every attempt.': 'Der Dateispeicher ist bei jedem Versuch ausgefallen.',
  'An operator must check it.': 'Ein Operator muss ihn prüfen.',
  'The file store has no space left for the file.': 'Der Dateispeicher hat keinen Platz mehr für die Datei.',
  'The account can store {1} MiB of files, and stores {2} MiB.':
    'Das Konto kann {1} MiB an Dateien speichern und speichert {2} MiB.',
  'There is no room for the file.': 'Für die Datei ist kein Platz.',
  'Wait until older files expire, or cancel imports that have not ended.':
    'Warten Sie, bis ältere Dateien ablaufen, oder brechen Sie Importe ab, die noch nicht beendet sind.',
  'An operator can change the limit with ROSTER_FILES_PER_ACCOUNT_MB.':
    'Ein Operator kann die Grenze mit ROSTER_FILES_PER_ACCOUNT_MB ändern.',
  'An operator must free some.': 'Ein Operator muss Platz schaffen.',
  'The schedule was deleted before the export ran.': 'Der Zeitplan wurde gelöscht, bevor der Export lief.',
  'The place of the schedule was changed before the export ran.':
    'Der Ort des Zeitplans wurde geändert, bevor der Export lief.',
  'The address of S3 is not allowed.': 'Die Adresse von S3 ist nicht erlaubt.',
  'An operator can allow it with ROSTER_CALLBACK_ALLOW.': 'Ein Operator kann sie mit ROSTER_CALLBACK_ALLOW erlauben.',
  'S3 refused the file: {1}.': 'S3 hat die Datei abgelehnt: {1}.',
  'S3 could not be reached: {1}': 'S3 ist nicht erreichbar: {1}',
  'S3 took too long to store the file.': 'S3 hat zu lange gebraucht, um die Datei zu speichern.',
  'The list {1} was deleted before the export ran.': 'Die Liste {1} wurde gelöscht, bevor der Export lief.',
  'The segment {1} was deleted before the export ran.': 'Das Segment {1} wurde gelöscht, bevor der Export lief.',
  'The segment {1} could not be evaluated when the export ran: {2}':
    'Das Segment {1} ließ sich nicht auswerten, als der Export lief: {2}',
  'The filter could not be evaluated when the export ran: {1}':
    'Der Filter ließ sich nicht auswerten, als der Export lief: {1}',
  'The attribute {1} was deleted before the export ran.': 'Das Attribut {1} wurde gelöscht, bevor der Export lief.',
  'The attribute {1} became a long text before the export ran.':
    'Das Attribut {1} wurde ein langer Text, bevor der Export lief.',
  'The account has no {1}, because its settings changed before the export ran.':
    'Das Konto hat kein {1}, weil sich seine Einstellungen geändert haben, bevor der Export lief.',
  'Request the export again without it.': 'Starten Sie den Export noch einmal ohne dieses Attribut.',
  '{1} is a long text.': '{1} ist ein langer Text.',
  'Long texts cannot be exported.': 'Lange Texte lassen sich nicht exportieren.',
  '{1} is not a value of a contact and cannot be exported.':
    '{1} ist kein Wert eines Kontakts und lässt sich nicht exportieren.',
  'Leave it out.': 'Lassen Sie es weg.',
  'The account has {1} unfinished exports, which is the maximum.':
    'Das Konto hat {1} Exporte, die noch nicht beendet sind. Mehr sind nicht möglich.',
  'Try again when one of them has ended.': 'Versuchen Sie es noch einmal, wenn davon etwas beendet ist.',

  // Schedules of exports
  'The run before was still going.': 'Der Lauf davor war noch nicht beendet.',
  'The person who made or last changed this schedule may no longer export.':
    'Die Person, die diesen Zeitplan angelegt oder zuletzt geändert hat, darf nicht mehr exportieren.',
  'The API key that made or last changed this schedule may no longer export.':
    'Der API-Schlüssel, der diesen Zeitplan angelegt oder zuletzt geändert hat, darf nicht mehr exportieren.',
  'The person who made or last changed this schedule may no longer export unmasked values.':
    'Die Person, die diesen Zeitplan angelegt oder zuletzt geändert hat, darf keine unmaskierten Werte mehr exportieren.',
  'The API key that made or last changed this schedule may no longer export unmasked values.':
    'Der API-Schlüssel, der diesen Zeitplan angelegt oder zuletzt geändert hat, darf keine unmaskierten Werte mehr exportieren.',
  'The person who made or last changed this schedule may no longer export derived attributes.':
    'Die Person, die diesen Zeitplan angelegt oder zuletzt geändert hat, darf keine berechneten Attribute mehr exportieren.',
  'The API key that made or last changed this schedule may no longer export derived attributes.':
    'Der API-Schlüssel, der diesen Zeitplan angelegt oder zuletzt geändert hat, darf keine berechneten Attribute mehr exportieren.',
  'The person who made or last changed this schedule may no longer use its filter.':
    'Die Person, die diesen Zeitplan angelegt oder zuletzt geändert hat, darf seinen Filter nicht mehr benutzen.',
  'The API key that made or last changed this schedule may no longer use its filter.':
    'Der API-Schlüssel, der diesen Zeitplan angelegt oder zuletzt geändert hat, darf seinen Filter nicht mehr benutzen.',
  'Somebody who may export must save the schedule again, or make a new one.':
    'Jemand, der exportieren darf, muss den Zeitplan noch einmal speichern oder einen neuen anlegen.',
  'Somebody who may must save the schedule again, or make a new one.':
    'Jemand, der das darf, muss den Zeitplan noch einmal speichern oder einen neuen anlegen.',
  'The account has {1} export schedules, which is the maximum.':
    'Das Konto hat {1} Zeitpläne für Exporte. Mehr sind nicht möglich.',
  'must be a cron expression with five fields (minute, hour, day, month, weekday) and a next time, such as {1}':
    'muss ein Cron-Ausdruck mit fünf Feldern (Minute, Stunde, Tag, Monat, Wochentag) und einem nächsten Termin sein, zum Beispiel {1}',

  // Cancelling work
  'The export is {1}.': 'Der Export hat den Status {1}.',
  'The import is {1}.': 'Der Import hat den Status {1}.',
  'The bulk change is {1}.': 'Die Sammeländerung hat den Status {1}.',
  'It can be cancelled only before it has ended.': 'Abbrechen lässt sich nur, was noch nicht beendet ist.',

  // Imports
  'The files of {1} imports of the account are not fetched yet.':
    'Die Dateien von {1} Importen des Kontos sind noch nicht geholt.',
  'Try again when some of them are.': 'Versuchen Sie es noch einmal, wenn einige davon geholt sind.',
  'Its failures are not complete yet.': 'Seine Fehler sind noch nicht vollständig.',
  'Try again when it has ended.': 'Versuchen Sie es noch einmal, wenn er beendet ist.',
  'The file of failures has expired, or a person in it was erased':
    'Die Datei der Fehler ist abgelaufen, oder eine Person darin wurde gelöscht',
  'The failed rows could not be written to a file.':
    'Die fehlerhaften Zeilen ließen sich nicht in eine Datei schreiben.',
  'The field failure of the import says why.': 'Das Feld failure des Imports nennt den Grund.',
  'The file is larger than {1} MiB.': 'Die Datei ist größer als {1} MiB.',
  'Split it, or compress it with gzip.': 'Teilen Sie sie, oder komprimieren Sie sie mit gzip.',
  'Earlier parts say that the file has {1} bytes, but this part {2}.':
    'Nach früheren Teilen hat die Datei {1} Byte, aber dieser Teil passt nicht dazu: {2}.',
  'The import has {1} bytes of the file.': 'Der Import hat {1} Byte der Datei.',
  'Send the part that begins at this position.': 'Senden Sie den Teil, der an dieser Stelle beginnt.',
  'Content-Encoding says gzip, but the body is not gzip':
    'Content-Encoding sagt gzip, aber der Inhalt ist nicht mit gzip komprimiert',
  'Send parts of the same file, or create another import.':
    'Senden Sie Teile derselben Datei, oder legen Sie einen anderen Import an.',

  // Backups
  'it was interrupted': 'sie wurde unterbrochen',

  // Limits of the service
  'The body is larger than {1}.': 'Der Inhalt ist größer als {1}.',
  'The body has more than {1}.': 'Der Inhalt hat mehr als {1}.',
  'Send fewer items in a request.': 'Senden Sie weniger Einträge in einer Anfrage.',
  'The request took too long to arrive': 'Die Anfrage brauchte zu lange, um anzukommen',
  'The request took longer than {1} s.': 'Die Anfrage dauerte länger als {1} s.',
  'It may still take effect.': 'Sie kann noch ausgeführt werden.',
  'The search took longer than {1} s and was cancelled.': 'Die Suche dauerte länger als {1} s und wurde abgebrochen.',
  'Narrow it with an equals condition on a list, an attribute or an identifier, or leave out get_count.':
    'Grenzen Sie sie mit einer Bedingung „ist“ auf einer Liste, einem Attribut oder einer Kennung ein, oder lassen Sie get_count weg.',
  'Too many requests from this address had no valid credential.':
    'Zu viele Anfragen von dieser Adresse hatten keine gültigen Zugangsdaten.',
  'The account is running its maximum number of searches.': 'In dem Konto laufen schon so viele Suchen wie möglich.',
  'The account is sending its maximum number of large bodies.':
    'Das Konto sendet schon so viele große Inhalte wie möglich.',
  'The account has too many open requests that change contacts.':
    'Das Konto hat zu viele offene Anfragen, die Kontakte ändern.',
  'Use fewer connections, or try again in {1} s.':
    'Benutzen Sie weniger Verbindungen, oder versuchen Sie es in {1} s noch einmal.',
  'The database server with the data of this account cannot be reached.':
    'Der Datenbankserver mit den Daten dieses Kontos ist nicht erreichbar.',
  'Other accounts may still work.': 'Andere Konten können noch funktionieren.',
  'The file store cannot be used.': 'Der Dateispeicher lässt sich nicht benutzen.',
  'The file store has no space left.': 'Der Dateispeicher hat keinen Platz mehr.',
  'The file was not stored.': 'Die Datei wurde nicht gespeichert.',
};
