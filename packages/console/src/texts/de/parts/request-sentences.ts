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

  // Addresses of callbacks
  'must be a whole URL that begins with https://, such as {1}':
    'muss eine ganze URL sein, die mit https:// beginnt, zum Beispiel {1}',
  'must begin with https://.': 'muss mit https:// beginnen.',
  'An operator can allow plain HTTP to a host with ROSTER_CALLBACK_ALLOW':
    'Ein Operator kann HTTP ohne Verschlüsselung zu einem Host mit ROSTER_CALLBACK_ALLOW erlauben',
  'must not lead to a private or reserved address.': 'darf nicht zu einer privaten oder reservierten Adresse führen.',
  'An operator can allow the host with ROSTER_CALLBACK_ALLOW':
    'Ein Operator kann den Host mit ROSTER_CALLBACK_ALLOW erlauben',

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

  // The service
  'An internal error occurred.': 'Ein interner Fehler ist aufgetreten.',
  'Search the log for the request_id.': 'Suchen Sie im Log nach der request_id.',
  'The database cannot be reached.': 'Die Datenbank ist nicht erreichbar.',
  'Earlier requests are still being applied.': 'Frühere Anfragen werden noch ausgeführt.',
  'Try again in a moment.': 'Versuchen Sie es gleich noch einmal.',
  'Too many requests.': 'Zu viele Anfragen.',
  'Too many sign-ins failed.': 'Zu viele Anmeldungen sind fehlgeschlagen.',
  'The service is busy with other requests.': 'Der Dienst ist mit anderen Anfragen beschäftigt.',
  'Try again in {1} s.': 'Versuchen Sie es in {1} s noch einmal.',
};
