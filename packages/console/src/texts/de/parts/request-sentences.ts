/** The sentences with which the service refuses a request, in German, by the English ones. */
export const requestSentences: Readonly<Record<string, string>> = {
  // Faults of values, after the path of the value
  '(and {1} more fault; see errors)': '(und {1} weiterer Fehler)',
  '(and {1} more faults; see errors)': '(und {1} weitere Fehler)',
  'is required': 'fehlt',
  'is reserved: contacts have a field with this name.': 'ist vergeben: Kontakte haben ein Feld mit diesem Namen.',
  'Choose another name': 'Wählen Sie einen anderen Namen',
  'must be {1} to {2} digits with the country code, such as {3}':
    'muss aus {1} bis {2} Ziffern mit Ländervorwahl bestehen, zum Beispiel {3}',
  'must be {1} to {2} digits with the country code, because MOBILE is the primary key':
    'muss aus {1} bis {2} Ziffern mit Ländervorwahl bestehen, weil MOBILE der Primärschlüssel ist',
  'must be an e-mail address such as {1}, because EMAIL is the primary key of the account':
    'muss eine E-Mail-Adresse wie {1} sein, weil EMAIL der Primärschlüssel des Kontos ist',
  'must be an e-mail address of at most 254 characters, such as {1}':
    'muss eine E-Mail-Adresse mit höchstens 254 Zeichen sein, zum Beispiel {1}',
  'must be one e-mail address, such as {1}': 'muss eine E-Mail-Adresse sein, zum Beispiel {1}',
  'must be a day that exists, as YYYY-MM-DD, such as {1}': 'muss ein Tag im Format JJJJ-MM-TT sein, zum Beispiel {1}',
  'must have at least {1} character': 'muss mindestens {1} Zeichen haben',
  'must have at least {1} characters': 'muss mindestens {1} Zeichen haben',
  'must have at most {1} characters': 'darf höchstens {1} Zeichen haben',
  'must have at most {1} characters, after it is percent-encoded':
    'darf höchstens {1} Zeichen haben, nachdem es prozentkodiert ist',
  'must have at most {1} items, but has {2}': 'darf höchstens {1} Einträge haben, hat aber {2}',
  'must have at most {1} headers': 'darf höchstens {1} Header haben',
  'must be an integer from {1} to {2}': 'muss eine ganze Zahl von {1} bis {2} sein',
  'must be a number from {1} to {2}': 'muss eine Zahl von {1} bis {2} sein',
  'must be one of {1}': 'muss einer dieser Werte sein: {1}',
  'must not be blank': 'darf nicht leer sein',
  'must not be blank.': 'darf nicht leer sein.',
  'Send null to clear the field, or leave it out': 'Senden Sie null, um das Feld zu leeren, oder lassen Sie es weg',
  'must be left out': 'muss weggelassen werden',

  'must begin with a letter and have at most 64 letters, digits and underscores, such as {1}':
    'muss mit einem Buchstaben beginnen und darf höchstens 64 Buchstaben, Ziffern und Unterstriche haben, zum Beispiel {1}',
  'must differ from the other mappings of the request, because only one attribute can be mapped to a system attribute':
    'muss sich von den anderen Zuordnungen der Anfrage unterscheiden, weil einem Systemattribut nur ein Attribut zugeordnet sein kann',
  'does not fit the data type of {1}, {2}': 'passt nicht zum Datentyp von {1}, {2}',
  '{1} is masked.': '{1} ist maskiert.',
  'To filter by it, ask an owner of the account for the right to see unmasked values, or use an API key with the scope unmasked':
    'Um danach zu filtern, bitten Sie einen Inhaber des Kontos um das Recht, unmaskierte Werte zu sehen, oder benutzen Sie einen API-Schlüssel mit dem Recht unmasked',
  'To sort by it, ask an owner of the account for the right to see unmasked values, or use an API key with the scope unmasked':
    'Um danach zu sortieren, bitten Sie einen Inhaber des Kontos um das Recht, unmaskierte Werte zu sehen, oder benutzen Sie einen API-Schlüssel mit dem Recht unmasked',
  'needs the right to see activities.': 'braucht das Recht, Aktivitäten zu sehen.',
  'Ask an owner of the account for it, or use an API key with the scope activity:read':
    'Bitten Sie einen Inhaber des Kontos darum, oder benutzen Sie einen API-Schlüssel mit dem Recht activity:read',
  'has derived attributes.': 'hat berechnete Attribute.',
  'To keep them, you need activity:read': 'Um sie zu behalten, brauchen Sie das Recht activity:read',
  'has conditions on masked fields or on activities.': 'hat Bedingungen auf maskierten Feldern oder auf Aktivitäten.',
  'To keep it, you need the permissions unmasked and activity:read':
    'Um ihn zu behalten, brauchen Sie die Rechte unmasked und activity:read',
  '{1} cannot be in events.': '{1} kann nicht in Ereignissen stehen.',
  'Long texts cannot be sent.': 'Lange Texte lassen sich nicht senden.',
  'Segments cannot be sent.': 'Segmente lassen sich nicht senden.',

  // Addresses and headers of callbacks
  'must be left out, because Roster sets the header {1} itself':
    'muss weggelassen werden, weil Roster den Header {1} selbst setzt',
  'must not begin with X-Roster-, because Roster sets these headers itself.':
    'darf nicht mit X-Roster- beginnen, weil Roster diese Header selbst setzt.',
  'Use another name': 'Wählen Sie einen anderen Namen',
  'must have a value of printable ASCII characters on one line.':
    'muss einen Wert aus druckbaren ASCII-Zeichen in einer Zeile haben.',
  'Encode other characters': 'Kodieren Sie andere Zeichen',
  'must have at most {1} characters, names and values together':
    'darf höchstens {1} Zeichen haben, Namen und Werte zusammen',
  'must not have a user name or password in the URL.': 'darf in der URL weder Benutzernamen noch Passwort haben.',
  'Send them in a header': 'Senden Sie sie in einem Header',
  'must be a whole URL that begins with https://, such as {1}':
    'muss eine ganze URL sein, die mit https:// beginnt, zum Beispiel {1}',
  'must begin with https://.': 'muss mit https:// beginnen.',
  'An operator can allow plain HTTP to a host with ROSTER_CALLBACK_ALLOW':
    'Ein Operator kann HTTP ohne Verschlüsselung zu einem Host mit ROSTER_CALLBACK_ALLOW erlauben',
  'must not lead to a private or reserved address.': 'darf nicht zu einer privaten oder reservierten Adresse führen.',
  'An operator can allow the host with ROSTER_CALLBACK_ALLOW':
    'Ein Operator kann den Host mit ROSTER_CALLBACK_ALLOW erlauben',

  // What does not exist
  'There is no account {1}': 'Es gibt kein Konto {1}',
  'There is no API key {1}': 'Es gibt keinen API-Schlüssel {1}',
  'There is no attribute {1}': 'Es gibt kein Attribut {1}',
  'There is no bulk change {1}': 'Es gibt keine Sammeländerung {1}',
  'There is no contact {1}': 'Es gibt keinen Kontakt {1}',
  'There is no delivery {1}': 'Es gibt keine Zustellung {1}',
  'There is no erasure {1}': 'Es gibt keine Löschung {1}',
  'There is no export {1}': 'Es gibt keinen Export {1}',
  'There is no export schedule {1}': 'Es gibt keinen Zeitplan {1}',
  'There is no import {1}': 'Es gibt keinen Import {1}',
  'There is no invitation {1}': 'Es gibt keine Einladung {1}',
  'There is no list {1}': 'Es gibt keine Liste {1}',
  'There is no mail {1}': 'Es gibt keine E-Mail {1}',
  'There is no member {1}': 'Es gibt kein Mitglied {1}',
  'There is no request {1}': 'Es gibt keine Anfrage {1}',
  'There is no saved view {1}': 'Es gibt keine gespeicherte Ansicht {1}',
  'There is no segment {1}': 'Es gibt kein Segment {1}',
  'There is no session {1}': 'Es gibt keine Sitzung {1}',
  'There is no user {1}': 'Es gibt keinen Benutzer {1}',

  // Conflicts
  'A member of the account has this address already.': 'Ein Mitglied des Kontos hat diese Adresse schon.',
  'You are a member of this account already.': 'Sie sind schon Mitglied dieses Kontos.',
  'This is the last owner of account {1}.': 'Das ist der letzte Inhaber des Kontos {1}.',
  'Make somebody else an owner first.': 'Machen Sie zuerst jemand anderen zum Inhaber.',
  'The account already has an attribute {1}.': 'Das Konto hat schon ein Attribut {1}.',
  'Choose another name.': 'Wählen Sie einen anderen Namen.',
  'Choose another name, or update the attribute.': 'Wählen Sie einen anderen Namen, oder ändern Sie das Attribut.',
  'The primary key can change only while the account has no contacts.':
    'Der Primärschlüssel lässt sich nur ändern, solange das Konto keine Kontakte hat.',
  'This account has contacts.': 'Dieses Konto hat Kontakte.',
  'This account has requests that are not applied yet.': 'Dieses Konto hat Anfragen, die noch nicht ausgeführt sind.',
  'A run of the schedule has not ended yet.': 'Ein Lauf des Zeitplans ist noch nicht beendet.',
  'The schedule has a run for the same time already.': 'Der Zeitplan hat für diese Zeit schon einen Lauf.',
  'There is a user already.': 'Es gibt schon einen Benutzer.',
  'Ask an owner for an invitation, or reset the password.':
    'Bitten Sie einen Inhaber um eine Einladung, oder setzen Sie das Passwort zurück.',
  'Begin with {1} first.': 'Beginnen Sie mit {1}.',
  'There is an authenticator app already.': 'Es gibt schon eine Authenticator-App.',
  'Remove it first.': 'Entfernen Sie sie zuerst.',
  'This address has a user already.': 'Diese Adresse hat schon einen Benutzer.',
  'Sign in, and open the link again.': 'Melden Sie sich an, und öffnen Sie den Link noch einmal.',
  'This passkey was added already.': 'Dieser Passkey wurde schon hinzugefügt.',
  'You have {1} passkeys.': 'Sie haben {1} Passkeys.',
  'Remove one first.': 'Entfernen Sie zuerst einen.',
  'You have {1} tokens.': 'Sie haben {1} Token.',
  'Delete one first.': 'Löschen Sie zuerst eines.',
  '{1} contacts match, but one bulk change can erase up to {2}.':
    '{1} Kontakte passen, aber eine Sammeländerung kann höchstens {2} löschen.',
  'Narrow the filter.': 'Grenzen Sie den Filter ein.',
  '{1} has changed since you read it.': '{1} wurde geändert, seit Sie es gelesen haben.',
  'Nothing was changed.': 'Es wurde nichts geändert.',
  'The file has expired and was deleted.': 'Die Datei ist abgelaufen und wurde gelöscht.',
  'Request the export again.': 'Starten Sie den Export noch einmal.',
  'The sign-in took longer than ten minutes, or was already completed.':
    'Die Anmeldung dauerte länger als zehn Minuten oder war schon abgeschlossen.',
  'Start again.': 'Beginnen Sie von vorn.',
  'The password, the code or the passkey is wrong.': 'Das Passwort, der Code oder der Passkey ist falsch.',

  'This invitation is for another e-mail address than the one that you signed in with.':
    'Diese Einladung gilt für eine andere E-Mail-Adresse als die, mit der Sie angemeldet sind.',
  'Sign out, then open the link again.': 'Melden Sie sich ab, und öffnen Sie dann den Link noch einmal.',
  'The link is not valid.': 'Der Link ist nicht gültig.',
  'It was used before, it has expired, a newer link replaced it, or it was copied incompletely.':
    'Er wurde schon benutzt, ist abgelaufen, wurde durch einen neueren ersetzt oder ist nicht vollständig kopiert.',
  '{1} contacts match now, but {2} were expected.': '{1} Kontakte passen jetzt, aber {2} wurden erwartet.',
  'Confirm the new number.': 'Bestätigen Sie die neue Zahl.',
  'Contact already exists': 'Den Kontakt gibt es schon',
  'Events up to position {1} are deleted.': 'Die Ereignisse bis zur Position {1} sind gelöscht.',
  'Read from there, and compare your data.': 'Lesen Sie ab dort, und vergleichen Sie Ihre Daten.',
  'The list {1} is in use by {2}.': 'Die Liste {1} wird benutzt: {2}.',
  'The segment {1} is in use by {2}.': 'Das Segment {1} wird benutzt: {2}.',
  'Change or delete what uses it first.': 'Ändern oder löschen Sie zuerst, was es benutzt.',
  'The filters of all segments of the account would have more than {1} characters together.':
    'Die Filter aller Segmente des Kontos hätten zusammen mehr als {1} Zeichen.',
  'The filters of all export schedules of the account would have more than {1} characters together.':
    'Die Filter aller Zeitpläne des Kontos hätten zusammen mehr als {1} Zeichen.',
  'Delete a schedule, or shorten a filter.': 'Löschen Sie einen Zeitplan, oder kürzen Sie einen Filter.',
  'The filters of all event subscriptions of the account would have more than {1} characters together.':
    'Die Filter aller Ereignis-Abonnements des Kontos hätten zusammen mehr als {1} Zeichen.',
  'Delete a subscription, or shorten a filter.': 'Löschen Sie ein Abonnement, oder kürzen Sie einen Filter.',
  'The filters of all unfinished exports of the account would have more than {1} characters together.':
    'Die Filter aller noch nicht beendeten Exporte des Kontos hätten zusammen mehr als {1} Zeichen.',
  'The filters of all unfinished bulk changes of the account would have more than {1} characters together.':
    'Die Filter aller noch nicht beendeten Sammeländerungen des Kontos hätten zusammen mehr als {1} Zeichen.',
  'Delete a segment, or shorten a filter.': 'Löschen Sie ein Segment, oder kürzen Sie einen Filter.',
  'With this filter, the {1} would have more than {2} levels of segments, {3} conditions, or {4} conditions on activities.':
    'Mit diesem Filter hätte {1} mehr als {2} Ebenen von Segmenten, {3} Bedingungen oder {4} Bedingungen auf Aktivitäten.',
  'An account can have up to {1} live segments.': 'Ein Konto kann bis zu {1} Live-Segmente haben.',
  'Set "live" of another segment to false first.': 'Schalten Sie zuerst ein anderes Segment auf nicht live.',
  'The account has {1} lists, which is the maximum.': 'Das Konto hat {1} Listen. Mehr sind nicht möglich.',
  'The account has {1} segments, which is the maximum.': 'Das Konto hat {1} Segmente. Mehr sind nicht möglich.',
  'The account has {1} active API keys, which is the maximum.':
    'Das Konto hat {1} aktive API-Schlüssel. Mehr sind nicht möglich.',
  'Revoke one of them.': 'Widerrufen Sie einen davon.',
  'The account has {1} open invitations, which is the maximum.':
    'Das Konto hat {1} offene Einladungen. Mehr sind nicht möglich.',
  'Withdraw one of them.': 'Ziehen Sie eine davon zurück.',
  'The account has {1} unfinished imports, which is the maximum.':
    'Das Konto hat {1} Importe, die noch nicht beendet sind. Mehr sind nicht möglich.',
  'The account has {1} unfinished bulk changes, which is the maximum.':
    'Das Konto hat {1} Sammeländerungen, die noch nicht beendet sind. Mehr sind nicht möglich.',
  'The account has {1} saved views, which is the maximum.':
    'Das Konto hat {1} gespeicherte Ansichten. Mehr sind nicht möglich.',
  'You have {1} saved views, which is the maximum.': 'Sie haben {1} gespeicherte Ansichten. Mehr sind nicht möglich.',
  'Delete one of them.': 'Löschen Sie eine davon.',
  'The attribute {1} does not exist and cannot be created, because the account already has {2} attributes.':
    'Das Attribut {1} gibt es nicht, und es lässt sich nicht anlegen, weil das Konto schon {2} Attribute hat.',
  'The account has {1} indexed attributes, which is the maximum.':
    'Das Konto hat {1} Attribute mit einem Index. Mehr sind nicht möglich.',
  'Remove the index of another attribute first.': 'Entfernen Sie zuerst den Index eines anderen Attributs.',
  'The delivery is pending.': 'Die Zustellung wartet.',
  'It is sent without a replay.': 'Sie wird gesendet, ohne dass Sie sie wiederholen.',
  'The account has no derived attributes.': 'Das Konto hat keine berechneten Attribute.',
  'Switch on its setting derived_attributes, which also computes them.':
    'Schalten Sie die Einstellung derived_attributes ein. Dann werden sie auch berechnet.',
  'You cannot delete your own user.': 'Sie können Ihren eigenen Benutzer nicht löschen.',
  'Ask another administrator.': 'Bitten Sie einen anderen Administrator.',
  'The user has just become a member of another account.':
    'Der Benutzer ist gerade Mitglied eines anderen Kontos geworden.',
  'Try again.': 'Versuchen Sie es noch einmal.',
  'This is the last installation administrator.': 'Das ist der letzte Administrator der Installation.',
  'Make somebody else one first.': 'Machen Sie zuerst jemand anderen dazu.',
  'The account records no events.': 'Das Konto zeichnet keine Ereignisse auf.',
  'Set its setting events to true first.': 'Schalten Sie zuerst seine Einstellung events ein.',
  'The account has {1} event subscriptions, which is the maximum.':
    'Das Konto hat {1} Ereignis-Abonnements. Mehr sind nicht möglich.',
  'The delivery is {1}.': 'Die Zustellung hat den Status {1}.',
  'Only failed deliveries can be sent again.': 'Nur fehlgeschlagene Zustellungen lassen sich noch einmal senden.',
  'Segment {1} is not live, so its entries and departures are not recorded.':
    'Das Segment {1} ist nicht live. Deshalb werden Zugänge und Abgänge nicht aufgezeichnet.',
  'Set "live" to true first.': 'Schalten Sie zuerst „Live“ ein.',
  'The segment cannot be evaluated.': 'Das Segment lässt sich nicht auswerten.',
  'The account has no list with the audience_id {1}.': 'Das Konto hat keine Liste mit der audience_id {1}.',

  // Rights
  'The sign-in failed.': 'Die Anmeldung ist fehlgeschlagen.',
  'Check what you entered.': 'Prüfen Sie Ihre Eingaben.',
  'Confirm who you are first: enter your password, or sign in again.':
    'Bestätigen Sie zuerst, wer Sie sind: Geben Sie Ihr Passwort ein, oder melden Sie sich noch einmal an.',
  'A personal access token cannot do this.': 'Mit einem persönlichen Zugriffstoken geht das nicht.',
  'Sign in instead.': 'Melden Sie sich stattdessen an.',
  'The request needs the permission {1}, which the caller does not have in account {2}':
    'Die Anfrage braucht das Recht {1}, das Sie im Konto {2} nicht haben',
  'The request needs the permission {1}, which the caller does not have':
    'Die Anfrage braucht das Recht {1}, das Sie nicht haben',
  'The request did not come from a page of this service.': 'Die Anfrage kam nicht von einer Seite dieses Dienstes.',
  'Open the console at its own address, and try again.':
    'Öffnen Sie die Konsole unter ihrer eigenen Adresse, und versuchen Sie es noch einmal.',
  'A program must send a token instead of a cookie.': 'Ein Programm muss ein Token statt eines Cookies senden.',
  'The caller does not have the scope {1}': 'Sie haben das Recht {1} nicht',

  // The service
  'An internal error occurred.': 'Ein interner Fehler ist aufgetreten.',
  'Search the log for the request_id.': 'Suchen Sie im Log nach der request_id.',
  'The database cannot be reached.': 'Die Datenbank ist nicht erreichbar.',
  'The disk of the database is full.': 'Die Festplatte der Datenbank ist voll.',
  'An operator must free some space.': 'Ein Betreiber muss Platz schaffen.',
  'Then repeat the request.': 'Wiederholen Sie dann die Anfrage.',
  'Earlier requests are still being applied.': 'Frühere Anfragen werden noch ausgeführt.',
  'Try again in a moment.': 'Versuchen Sie es gleich noch einmal.',
  'Too many requests.': 'Zu viele Anfragen.',
  'Too many sign-ins failed.': 'Zu viele Anmeldungen sind fehlgeschlagen.',
  'The service is busy with other requests.': 'Der Dienst ist mit anderen Anfragen beschäftigt.',
  'Try again in {1} s.': 'Versuchen Sie es in {1} s noch einmal.',
};
