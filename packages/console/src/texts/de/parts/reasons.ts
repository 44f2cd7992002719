/**
 * The reasons of failures in German, by the English texts of the catalogue. The service sends the
 * English text. A text with details, such as the name of a column, has no translation.
 */
export const reasons: Readonly<Record<string, string>> = {
  'The identity is not a valid value of the primary key of the account. EMAIL must be an email address, MOBILE 6 to 15 digits with the country code, and any other primary key at most 255 characters.':
    'Die Identität ist kein gültiger Wert des Primärschlüssels des Kontos. EMAIL muss eine E-Mail-Adresse sein, MOBILE 6 bis 15 Ziffern mit Ländervorwahl, und jeder andere Primärschlüssel höchstens 255 Zeichen.',
  'The contact has no value for the primary key.': 'Der Kontakt hat keinen Wert für den Primärschlüssel.',
  'The identity differs from the value of the primary key, or the contact would lose its primary key.':
    'Die Identität ist anders als der Wert des Primärschlüssels, oder der Kontakt würde seinen Primärschlüssel verlieren.',
  'Another contact already has this identity.': 'Ein anderer Kontakt hat diese Identität schon.',
  'Anonymous contacts have no identity. The value of the primary key was left out.':
    'Anonyme Kontakte haben keine Identität. Der Wert des Primärschlüssels wurde weggelassen.',
  'No contact has this identifier.': 'Kein Kontakt hat diese Kennung.',
  'Several contacts have this email or mobile. Name one of them by contact_id or identity.':
    'Mehrere Kontakte haben diese E-Mail-Adresse oder Mobilnummer. Nennen Sie einen davon mit contact_id oder identity.',
  'The contact exists already, and existing contacts are refused.':
    'Den Kontakt gibt es schon, und vorhandene Kontakte werden abgelehnt.',
  'The contact is not valid.': 'Der Kontakt ist nicht gültig.',
  'The contact has more than 20 attributes.': 'Der Kontakt hat mehr als 20 Attribute.',
  'The person was erased and must not be stored again (reject_forgotten_contacts). The item was not kept.':
    'Die Person wurde gelöscht und darf nicht wieder gespeichert werden (reject_forgotten_contacts). Das Element wurde nicht behalten.',
  'The contact would not have the type of data.contact_type.': 'Der Kontakt hätte nicht den Typ von data.contact_type.',
  'The contact changed after the caller had read it (If-Match). Nothing was changed.':
    'Der Kontakt wurde geändert, nachdem der Aufrufer ihn gelesen hatte (If-Match). Es wurde nichts geändert.',
  'The value is the mask of the stored value, as callers without the right to see unmasked values read it. The stored value was kept.':
    'Der Wert ist die Maske des gespeicherten Werts, wie ihn Aufrufer ohne das Recht auf unmaskierte Werte lesen. Der gespeicherte Wert wurde behalten.',
  'The attribute is computed from activities. Record activities to change it. The value was left out.':
    'Das Attribut wird aus Aktivitäten berechnet. Es ändert sich, wenn Aktivitäten aufgezeichnet werden. Der Wert wurde weggelassen.',
  'The account has no attribute with this name. The value was left out.':
    'Das Konto hat kein Attribut mit diesem Namen. Der Wert wurde weggelassen.',
  'The value does not fit the data type of the attribute, or the text is too long. A text can have 1,000 characters, a long_text 65,536. The value was left out.':
    'Der Wert passt nicht zum Datentyp des Attributs, oder der Text ist zu lang. Ein Text darf 1.000 Zeichen haben, ein langer Text 65.536. Der Wert wurde weggelassen.',
  'The account already has 500 attributes, so this one was not created. The value was left out.':
    'Das Konto hat schon 500 Attribute. Dieses wurde deshalb nicht angelegt. Der Wert wurde weggelassen.',
  'The values of the contact would have more than 1,048,576 characters together. This value was left out.':
    'Die Werte des Kontakts hätten zusammen mehr als 1.048.576 Zeichen. Dieser Wert wurde weggelassen.',
  'The account already has an attribute with this name.': 'Das Konto hat schon ein Attribut mit diesem Namen.',
  'The account has no attribute with this name or number.':
    'Das Konto hat kein Attribut mit diesem Namen oder dieser Nummer.',
  'System attributes cannot be deleted, renamed or mapped.':
    'Systemattribute lassen sich nicht löschen, umbenennen oder zuordnen.',
  'The attribute is in use. Change or delete what uses it first.':
    'Das Attribut wird benutzt. Ändern oder löschen Sie zuerst, was es benutzt.',
  'The request names the attribute twice. Name it once.':
    'Die Anfrage nennt das Attribut zweimal. Nennen Sie es einmal.',
  'The account already has 500 attributes, which is the maximum.':
    'Das Konto hat schon 500 Attribute. Mehr sind nicht möglich.',
  'The attribute cannot be mapped to this system attribute. Only one custom attribute of the same data type can be mapped to it.':
    'Das Attribut lässt sich diesem Systemattribut nicht zuordnen. Nur ein eigenes Attribut mit demselben Datentyp lässt sich ihm zuordnen.',
  'The data type of the attribute cannot change to the given one.':
    'Der Datentyp des Attributs lässt sich nicht in diesen ändern.',
  'The default value does not fit the data type of the attribute.':
    'Der Standardwert passt nicht zum Datentyp des Attributs.',
  'The default values of the account would have more than 131,072 characters together.':
    'Die Standardwerte des Kontos hätten zusammen mehr als 131.072 Zeichen.',
  'The attribute or its name is masked. To change it, ask an owner of the account for the right to see unmasked values, or use an API key with the scope unmasked.':
    'Das Attribut oder sein Name ist maskiert. Um es zu ändern, bitten Sie einen Inhaber des Kontos um das Recht, unmaskierte Werte zu sehen, oder benutzen Sie einen API-Schlüssel mit dem Recht unmasked.',
  'Another item of the request failed. Such a request is applied as a whole or not at all.':
    'Ein anderes Element der Anfrage ist fehlgeschlagen. Eine solche Anfrage wird ganz oder gar nicht angewendet.',
  'The account has no list with this audience_id. The list was left out.':
    'Das Konto hat keine Liste mit dieser audience_id. Die Liste wurde weggelassen.',
  'The activity is more than a day in the future. Check the clock of the sender.':
    'Die Aktivität liegt mehr als einen Tag in der Zukunft. Prüfen Sie die Uhr des Absenders.',
  'The activity is too old. The account keeps activities for activity_retention_months.':
    'Die Aktivität ist zu alt. Das Konto bewahrt Aktivitäten so lange auf, wie activity_retention_months es sagt.',
  'Earlier requests took too long. The caller was told to try again, and nothing was changed.':
    'Frühere Anfragen haben zu lange gedauert. Der Aufrufer sollte es noch einmal versuchen, und es wurde nichts geändert.',
  'Several worker processes crashed while they applied this request. It was given up, and nothing was applied. Send it again in smaller parts.':
    'Mehrere Worker-Prozesse sind bei dieser Anfrage abgestürzt. Sie wurde aufgegeben, und nichts wurde angewendet. Senden Sie sie noch einmal in kleineren Teilen.',
  'The stored request could not be read.': 'Die gespeicherte Anfrage ließ sich nicht lesen.',
  'The item could not be stored. The log of the worker says why.':
    'Das Element ließ sich nicht speichern. Der Grund steht im Log des Workers.',
  'The row has more or fewer cells than the first row.': 'Die Zeile hat mehr oder weniger Zellen als die erste Zeile.',
  'The quotes of the row are not paired. Write a quote inside a cell twice, and put the cell in quotes. The lines after it were read as separate rows.':
    'Die Anführungszeichen der Zeile sind nicht paarweise. Schreiben Sie ein Anführungszeichen in einer Zelle doppelt, und setzen Sie die Zelle in Anführungszeichen. Die folgenden Zeilen wurden einzeln gelesen.',
  'The row has more than 2 MiB.': 'Die Zeile hat mehr als 2 MiB.',
  'The line is not a JSON object.': 'Die Zeile ist kein JSON-Objekt.',
  'Two names of the line have the same meaning, such as `email` and `EMAIL`. Leave one of them out.':
    'Zwei Namen der Zeile bedeuten dasselbe, zum Beispiel `email` und `EMAIL`. Lassen Sie einen davon weg.',
  '`attributes` of the line is not an object, such as {"CITY": "Pune"}.':
    '`attributes` der Zeile ist kein Objekt wie {"CITY": "Pune"}.',
  'The cell with the identity of the contact is empty.': 'Die Zelle mit der Identität des Kontakts ist leer.',
  'The contact has not confirmed its sign-up. An import cannot confirm it.':
    'Der Kontakt hat seine Anmeldung nicht bestätigt. Ein Import kann sie nicht bestätigen.',
  'The cell is not a JSON object, such as {"city": "Pune"}.': 'Die Zelle ist kein JSON-Objekt wie {"city": "Pune"}.',
  'The meaning of this opt-out state is not known. Map it in `values` of the column.':
    'Die Bedeutung dieses Abmeldestatus ist nicht bekannt. Ordnen Sie ihn in `values` der Spalte zu.',
  'The sign-up date is in the future, or it does not have the date format of the column.':
    'Das Anmeldedatum liegt in der Zukunft, oder es hat nicht das Datumsformat der Spalte.',
  'The date does not have the date format of the column. It was left out.':
    'Das Datum hat nicht das Datumsformat der Spalte. Es wurde weggelassen.',
  'The number does not have the number format of the column. It was left out.':
    'Die Zahl hat nicht das Zahlenformat der Spalte. Sie wurde weggelassen.',
  'The name of a list has more than 255 characters, or is neither a text nor a number. The contact was not added to this list.':
    'Der Name einer Liste hat mehr als 255 Zeichen, oder er ist weder ein Text noch eine Zahl. Der Kontakt wurde dieser Liste nicht hinzugefügt.',
  'The value comes from an export without the scope unmasked, so it is masked. It was left out.':
    'Der Wert stammt aus einem Export ohne das Recht unmasked und ist deshalb maskiert. Er wurde weggelassen.',
  'No file was sent within 24 hours.': 'Innerhalb von 24 Stunden wurde keine Datei gesendet.',
  'The file is empty.': 'Die Datei ist leer.',
  'The file is not text. It may be a spreadsheet or an archive. Save it as CSV. You can compress it with gzip.':
    'Die Datei ist kein Text. Vielleicht ist sie eine Tabelle oder ein Archiv. Speichern Sie sie als CSV. Sie dürfen sie mit gzip komprimieren.',
  'The gzip data of the file ends too early or is damaged. Send the file again in a new import.':
    'Die gzip-Daten der Datei enden zu früh oder sind beschädigt. Senden Sie die Datei noch einmal in einem neuen Import.',
  'The uncompressed file is larger than `ROSTER_IMPORT_UNPACKED_MB` allows, or a fetched file is larger than `ROSTER_IMPORT_FILE_MB` allows. Split it.':
    'Die entpackte Datei ist größer, als `ROSTER_IMPORT_UNPACKED_MB` erlaubt, oder eine abgeholte Datei größer, als `ROSTER_IMPORT_FILE_MB` erlaubt. Teilen Sie sie auf.',
  'The host of `source_url` or of a redirect is not allowed: its address is not public, or it uses plain HTTP. An operator can allow the host with `ROSTER_CALLBACK_ALLOW`.':
    'Der Host von `source_url` oder einer Weiterleitung ist nicht erlaubt: Seine Adresse ist nicht öffentlich, oder er verwendet HTTP ohne TLS. Ein Betreiber kann den Host mit `ROSTER_CALLBACK_ALLOW` erlauben.',
  'The server of `source_url` could not be reached, did not respond in time, or the connection broke, in every attempt. Check the URL and the server. Then create another import.':
    'Der Server von `source_url` war bei jedem Versuch nicht erreichbar, antwortete nicht rechtzeitig, oder die Verbindung brach ab. Prüfen Sie die URL und den Server. Legen Sie dann einen neuen Import an.',
  'The server of `source_url` did not return the file: its status is not 200, or it redirected too often. Check that the URL works without a sign-in and has not expired.':
    'Der Server von `source_url` hat die Datei nicht geliefert: Sein Status ist nicht 200, oder er hat zu oft weitergeleitet. Prüfen Sie, ob die URL ohne Anmeldung funktioniert und nicht abgelaufen ist.',
  'The encoding of the file is not the expected one. Save it as UTF-8, or name its encoding in `encoding`.':
    'Die Datei hat nicht die erwartete Kodierung. Speichern Sie sie als UTF-8, oder nennen Sie ihre Kodierung in `encoding`.',
  'The file is neither CSV nor NDJSON. It may be a JSON array: write one JSON object on each line instead.':
    'Die Datei ist weder CSV noch NDJSON. Vielleicht ist sie ein JSON-Array: Schreiben Sie stattdessen ein JSON-Objekt in jede Zeile.',
  'The first row is not a valid header. Its quotes are not paired, it has more than 256 KiB or 600 columns, or the name of a column is not valid. A name can have up to 1000 characters, and must not contain U+0000 or half of a surrogate pair. Keys of NDJSON have the same limits.':
    'Die erste Zeile ist keine gültige Kopfzeile. Ihre Anführungszeichen sind nicht paarweise, sie hat mehr als 256 KiB oder 600 Spalten, oder der Name einer Spalte ist nicht gültig. Ein Name darf bis zu 1000 Zeichen haben, aber nicht U+0000 oder ein halbes Surrogatpaar. Für Schlüssel in NDJSON gilt dasselbe.',
  'Two columns have the same name or mean the same field. Rename one in the file, or leave it out with `columns`. Columns with exactly the same name are left out together.':
    'Zwei Spalten haben denselben Namen oder bedeuten dasselbe Feld. Benennen Sie eine in der Datei um, oder lassen Sie sie mit `columns` weg. Spalten mit genau demselben Namen werden zusammen weggelassen.',
  '`columns` names a header that the file does not have, or a field that the account does not have.':
    '`columns` nennt eine Spalte, die die Datei nicht hat, oder ein Feld, das das Konto nicht hat.',
  'The account has no field or attribute for some columns. Map them to fields in `columns`, or say in `unknown_columns` what to do with them.':
    'Das Konto hat für einige Spalten kein Feld und kein Attribut. Ordnen Sie sie in `columns` Feldern zu, oder sagen Sie in `unknown_columns`, was mit ihnen geschehen soll.',
  'No column identifies the contact of a row. Add a column with the primary key of the account.':
    'Keine Spalte sagt, zu welchem Kontakt eine Zeile gehört. Fügen Sie eine Spalte mit dem Primärschlüssel des Kontos hinzu.',
  'No attribute could be created for a column. Its name is not a valid name of an attribute, or the account already has 500 attributes.':
    'Für eine Spalte ließ sich kein Attribut anlegen. Ihr Name ist kein gültiger Name eines Attributs, oder das Konto hat schon 500 Attribute.',
  'The cells with names of lists have more than 500 different names, or the account would have more than 100,000 lists. Map this column to a text attribute instead.':
    'Die Zellen mit Namen von Listen haben mehr als 500 verschiedene Namen, oder das Konto hätte mehr als 100.000 Listen. Ordnen Sie diese Spalte stattdessen einem Textattribut zu.',
  'The primary key of the account was changed before the import ran. Import the file again.':
    'Der Primärschlüssel des Kontos wurde geändert, bevor der Import lief. Importieren Sie die Datei noch einmal.',
  'The file is no longer in the file store. Send it again in a new import.':
    'Die Datei ist nicht mehr im Dateispeicher. Senden Sie sie noch einmal in einem neuen Import.',
  'The file store has no space left for the file of failures. Valid rows are not affected. Or it has no space for the file that `source_url` names. Then nothing was imported.':
    'Der Dateispeicher hat keinen Platz mehr für die Datei mit den Fehlern. Gültige Zeilen sind nicht betroffen. Oder er hat keinen Platz für die Datei von `source_url`. Dann wurde nichts importiert.',
  'The account would store more files than `ROSTER_FILES_PER_ACCOUNT_MB` allows. If it was the file of failures, valid rows are not affected. If it was the file that `source_url` names, nothing was imported.':
    'Das Konto hätte mehr Dateien gespeichert, als `ROSTER_FILES_PER_ACCOUNT_MB` erlaubt. War es die Datei mit den Fehlern, sind gültige Zeilen nicht betroffen. War es die Datei von `source_url`, wurde nichts importiert.',
  'The file store failed in every attempt. `roster doctor` says why. Then import the file again: rows that were applied do not change.':
    'Der Dateispeicher hat bei jedem Versuch versagt. `roster doctor` nennt den Grund. Importieren Sie die Datei danach noch einmal: Zeilen, die schon angewendet sind, ändern sich nicht.',
  'An internal error occurred. Search the log for the import_id.':
    'Ein interner Fehler ist aufgetreten. Suchen Sie im Log nach der import_id.',
  'The number of contacts changed between the confirmation and the start. Nothing was changed. Count again.':
    'Die Zahl der Kontakte hat sich zwischen der Bestätigung und dem Beginn geändert. Es wurde nichts geändert. Zählen Sie noch einmal.',
  'The filter can no longer be evaluated, because an audience was deleted. Nothing was changed.':
    'Der Filter lässt sich nicht mehr auswerten, weil eine Zielgruppe gelöscht wurde. Es wurde nichts geändert.',
  'An internal error occurred. Search the log for the bulk_change_id.':
    'Ein interner Fehler ist aufgetreten. Suchen Sie im Log nach der bulk_change_id.',
  'Somebody paused the subscription.': 'Jemand hat das Abonnement angehalten.',
  'All attempts in 24 hours failed.': 'Alle Versuche in 24 Stunden sind fehlgeschlagen.',
  'The receiver returned the status 410.': 'Der Empfänger hat mit dem Status 410 geantwortet.',
  'The next events are older than the retention time, and are deleted.':
    'Die nächsten Ereignisse sind älter als die Aufbewahrungszeit und gelöscht.',
  'The person or the API key that changed the subscription last does not have the rights anymore.':
    'Die Person oder der API-Schlüssel mit der letzten Änderung des Abonnements hat die Rechte nicht mehr.',
  'The filter or a field of the subscription is not valid anymore.':
    'Der Filter oder ein Feld des Abonnements ist nicht mehr gültig.',
  'The receiver did not return a 2xx status.': 'Der Empfänger hat nicht mit einem Status 2xx geantwortet.',
  'The receiver returned a redirect. Roster does not follow redirects. Use the final URL.':
    'Der Empfänger hat weitergeleitet. Roster folgt Weiterleitungen nicht. Verwenden Sie die endgültige URL.',
  'The receiver did not respond within 10 seconds.': 'Der Empfänger hat nicht innerhalb von 10 Sekunden geantwortet.',
  'The host name does not resolve to an address.': 'Zu dem Hostnamen gibt es keine Adresse.',
  'The address of the host is not public. An operator can allow it with ROSTER_CALLBACK_ALLOW.':
    'Die Adresse des Hosts ist nicht öffentlich. Ein Betreiber kann sie mit ROSTER_CALLBACK_ALLOW erlauben.',
  'The URL is no longer allowed. Its host was removed from ROSTER_CALLBACK_ALLOW.':
    'Die URL ist nicht mehr erlaubt. Ihr Host wurde aus ROSTER_CALLBACK_ALLOW entfernt.',
  'The connection failed, or it broke before the response was complete.':
    'Die Verbindung kam nicht zustande, oder sie brach ab, bevor die Antwort vollständig war.',
  'The TLS connection failed. Check that the certificate is valid for the host and has not expired.':
    'Die TLS-Verbindung kam nicht zustande. Prüfen Sie, ob das Zertifikat für den Host gilt und nicht abgelaufen ist.',
  'The response is not valid HTTP, or its headers have more than 16 KiB.':
    'Die Antwort ist kein gültiges HTTP, oder ihre Header haben mehr als 16 KiB.',
  'The events of the delivery were deleted, because they are older than the retention time.':
    'Die Ereignisse der Zustellung wurden gelöscht, weil sie älter als die Aufbewahrungszeit sind.',
  'The process ended before the outcome was known. Another attempt follows.':
    'Der Prozess endete, bevor das Ergebnis bekannt war. Ein weiterer Versuch folgt.',
  'An internal error occurred. The log of the worker says why.':
    'Ein interner Fehler ist aufgetreten. Der Grund steht im Log des Workers.',

  // Mails
  'The connection to the mail server failed or broke. Check the host and port of SMTP_URL.':
    'Die Verbindung zum Mailserver kam nicht zustande oder brach ab. Prüfen Sie Host und Port in SMTP_URL.',
  'The mail server did not respond in time.': 'Der Mailserver hat nicht rechtzeitig geantwortet.',
  'The encrypted connection failed. The mail server does not offer TLS, or its certificate is not valid.':
    'Die verschlüsselte Verbindung kam nicht zustande. Der Mailserver bietet kein TLS an, oder sein Zertifikat ist nicht gültig.',
  'The mail server refused the login, or requires one. Check the user and password of SMTP_URL.':
    'Der Mailserver hat die Anmeldung abgelehnt oder verlangt eine. Prüfen Sie Benutzer und Passwort in SMTP_URL.',
  'The mail server refused the sender. Check ROSTER_MAIL_FROM.':
    'Der Mailserver hat den Absender abgelehnt. Prüfen Sie ROSTER_MAIL_FROM.',
  'The mail server cannot accept the mail now. Another attempt follows.':
    'Der Mailserver kann die E-Mail jetzt nicht annehmen. Ein weiterer Versuch folgt.',
  'The mail server refused the recipient permanently.': 'Der Mailserver hat den Empfänger endgültig abgelehnt.',
  'The mail server refused the message permanently.': 'Der Mailserver hat die Nachricht endgültig abgelehnt.',
  'The response of the mail server is not valid SMTP.': 'Die Antwort des Mailservers ist kein gültiges SMTP.',
};
